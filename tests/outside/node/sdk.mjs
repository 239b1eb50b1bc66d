// The client of `@modelcontextprotocol/sdk` 1.x, which speaks the handshake era.
//
// node sdk.mjs handshake stdio PATH | http URL
import assert from 'node:assert/strict';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { closeStdio } from './closing.mjs';
import { check } from './weather.mjs';

const [era, kind, server] = process.argv.slice(2);
const client = new Client({ name: 'outside-sdk', version: '1.0.0' });
const errors = [];
client.onerror = error => errors.push(error);

let negotiated;
const transport =
  kind === 'http' ? new StreamableHTTPClientTransport(new URL(server)) : new StdioClientTransport({ command: server });
// The client tells its transport which revision it agreed on, over either; only HTTP has a use for it.
const tell = transport.setProtocolVersion?.bind(transport);
transport.setProtocolVersion = version => {
  negotiated = version;
  tell?.(version);
};

await client.connect(transport);
assert.equal(negotiated, '2025-11-25');
await check(client, era, (params, options) => client.callTool(params, undefined, options), errors);
await client.ping();
if (kind === 'http') {
  await client.close();
} else {
  await closeStdio(client, transport);
}
assert.deepEqual(errors, []);
