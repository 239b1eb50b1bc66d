// How a client parts from a server that it has started.
import assert from 'node:assert/strict';

/** Closes a client over stdio: the server ends by itself once its input ends, before the client ends it. */
export async function closeStdio(client, transport) {
  // Both transports wait two seconds before they send a signal; they do not tell the exit status otherwise.
  const server = transport._process;
  const ended = new Promise(resolve => server.once('exit', (code, signal) => resolve({ code, signal })));
  const before = performance.now();
  await client.close();
  assert.deepEqual(await ended, { code: 0, signal: null });
  const took = performance.now() - before;
  assert.ok(took < 1900, `the server took ${Math.round(took)} ms to end after its input had ended`);
}
