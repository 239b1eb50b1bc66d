// `add` with the TypeScript SDK: over HTTP at `PORT`, else over stdio.
import { createServer } from 'node:http';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import * as z from 'zod';

const input = z.object({ a: z.int(), b: z.int() });

function make() {
  const server = new McpServer({ name: 'typescript', version: '0.0.0' });
  server.registerTool('add', { description: 'Adds two numbers', inputSchema: input }, async ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
  }));
  return server;
}

const port = process.env.PORT;
if (port) {
  const hostIsLocal = localhostHostValidation();
  const originIsLocal = localhostOriginValidation();
  const handle = toNodeHandler(createMcpHandler(make, { responseMode: 'json' }));
  createServer((request, response) => {
    if (hostIsLocal(request, response) && originIsLocal(request, response)) handle(request, response);
  }).listen(Number(port), '127.0.0.1');
} else {
  serveStdio(make);
}
