// The client of `@modelcontextprotocol/client` 2.x, in the modern era or in that of the handshake.
//
// node client.mjs modern|handshake stdio PATH | http URL
import assert from 'node:assert/strict';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { closeStdio } from './closing.mjs';
import { check } from './weather.mjs';

const [era, kind, server] = process.argv.slice(2);
const modern = era === 'modern';
const revision = modern ? '2026-07-28' : '2025-11-25';

const client = new Client(
  { name: 'outside-client', version: '1.0.0' },
  // Pinned, it does not fall back to a handshake.
  { versionNegotiation: { mode: modern ? { pin: revision } : 'legacy' } },
);
const errors = [];
client.onerror = error => errors.push(error);

const requests = [];
const recorded = (url, init) => {
  const message = init?.method === 'POST' ? JSON.parse(init.body) : {};
  requests.push({ method: message.method, params: message.params, headers: new Headers(init?.headers) });
  return fetch(url, init);
};
const transport =
  kind === 'http'
    ? new StreamableHTTPClientTransport(new URL(server), { fetch: recorded })
    : new StdioClientTransport({ command: server });

await client.connect(transport);
assert.equal(client.getNegotiatedProtocolVersion(), revision);
assert.equal(client.getProtocolEra(), modern ? 'modern' : 'legacy');
if (modern) {
  assert.ok(client.getDiscoverResult().supportedVersions.includes(revision));
}
await check(client, era, (params, options) => client.callTool(params, options), errors);

if (kind === 'http') {
  checkRequests();
  await client.close();
} else {
  await closeStdio(client, transport);
}
assert.deepEqual(errors, []);

/** What went over HTTP is what the era wants: no handshake in the modern one, and mirrored headers only there. */
function checkRequests() {
  const methods = requests.map(request => request.method);
  assert.equal(methods.includes('initialize'), !modern);
  assert.equal(methods.includes('server/discover'), modern);
  const calls = requests.filter(({ method, params }) => method === 'tools/call' && params.name === 'forecast');
  assert.equal(calls.length, 4);
  for (const { headers } of calls) {
    assert.equal(headers.get('mcp-protocol-version'), revision);
    assert.equal(headers.get('mcp-param-region'), modern ? 'eu' : null);
  }
}
