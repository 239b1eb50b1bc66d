// A server of `@modelcontextprotocol/server` 2.x, which speaks both eras.
//
// node server.mjs stdio | http
import { createServer } from 'node:http';

import { toNodeHandler } from '@modelcontextprotocol/node';
import { acceptedContent, createMcpHandler, fromJsonSchema, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const [transport] = process.argv.slice(2);
const text = value => ({ content: [{ type: 'text', text: String(value) }] });
const object = properties => fromJsonSchema({ type: 'object', properties, required: Object.keys(properties) });

/** Tells those who listen over HTTP; by lines the server itself does. */
let notify;

function outside() {
  const server = new McpServer(
    { name: 'outside-server', version: '1.0.0' },
    { instructions: 'For tests.', capabilities: { tools: { listChanged: true } } },
  );
  const number = { type: 'integer' };
  server.registerTool('add', { description: 'Adds.', inputSchema: object({ a: number, b: number }) }, ({ a, b }) =>
    text(a + b),
  );
  const region = { type: 'string', 'x-mcp-header': 'Region' };
  server.registerTool('place', { description: 'Says where.', inputSchema: object({ region }) }, ({ region }) =>
    text(region),
  );
  server.registerTool('greet', { description: 'Asks.' }, ctx => {
    const answer = acceptedContent(ctx.mcpReq.inputResponses, 'name');
    if (answer !== undefined) {
      return text(`hello, ${answer.name}`);
    }
    const requestedSchema = { type: 'object', properties: { name: { type: 'string', default: 'Ali' } } };
    return inputRequired({ inputRequests: { name: inputRequired.elicit({ message: 'Who are you?', requestedSchema }) } });
  });
  server.registerTool('count', { description: 'Tells how far it is.' }, async ctx => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (let progress = 1; progress <= 3 && progressToken !== undefined; progress++) {
      await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 3 } });
    }
    return text('done');
  });
  server.registerTool('change', { description: 'Says that the tools have changed.' }, async () => {
    await (notify === undefined ? server.server.sendToolListChanged() : notify.toolsChanged());
    return text('changed');
  });
  server.registerResource('fixed', 'test://fixed', { mimeType: 'text/plain' }, uri => ({
    contents: [{ uri: uri.href, text: 'fixed' }],
  }));
  server.registerPrompt('review', { argsSchema: object({ code: { type: 'string' } }) }, ({ code }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Review ${code}` } }],
  }));
  return server;
}

if (transport === 'stdio') {
  serveStdio(outside);
} else {
  const handler = createMcpHandler(outside);
  notify = handler.notify;
  const listener = createServer(toNodeHandler(handler));
  listener.listen(0, '127.0.0.1', () => console.error(`serving http://127.0.0.1:${listener.address().port}/mcp`));
}
