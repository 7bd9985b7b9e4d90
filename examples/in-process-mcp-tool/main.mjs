// A tool inside the host's own program: the agent calls the tool like any MCP tool, and the tool can use the program's variables.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { query } from '@proto/host';
import { stdio } from '@proto/transport-stdio';
import { z } from 'zod';

const command = fileURLToPath(new URL('dist/agent.js', import.meta.resolve('@proto/cli/package.json')));
const stock = new Map([['apples', 3]]);

const shop = new McpServer({ name: 'shop', version: '1.0.0' });
const sell = {
  description: 'Sells some of what is there',
  inputSchema: { what: z.string(), count: z.number().min(1) },
};
shop.registerTool('sell', sell, ({ what, count }) => {
  const left = (stock.get(what) ?? 0) - count;
  if (left < 0) throw new Error(`there are not ${count} ${what}`);
  stock.set(what, left);
  return { content: [{ type: 'text', text: `${left} ${what} left` }] };
});

const asked = [];
const session = query({
  prompt: ['sell {"what":"apples","count":2}', 'sell {"what":"apples","count":2}', 'sell {"what":"apples"}']
    .map((call) => `/mcp shop ${call}`)
    .join('\n'),
  transport: stdio(command, { args: ['--no-session-persistence'] }),
  mcpServers: { shop },
  canUseTool: ({ tool_name }) => {
    asked.push(tool_name);
    return { behavior: 'allow' };
  },
});

const results = [];
let init;
for await (const message of session) {
  if (message.type === 'system' && message.subtype === 'init') init = message;
  // Tool results arrive as content blocks; a string would be a prompt.
  if (message.type === 'user' && typeof message.message.content !== 'string') results.push(...message.message.content);
}

assert.ok(init.tools.includes('mcp__shop__sell'));
assert.deepEqual(
  init.mcp_servers.map(({ name, status }) => [name, status]),
  [['shop', 'connected']],
);
assert.deepEqual(asked, Array(3).fill('mcp__shop__sell'));
assert.deepEqual(
  results.map(({ is_error = false }) => is_error),
  [false, true, true],
);
assert.match(JSON.stringify(results[0].content), /1 apples left/);
assert.match(JSON.stringify(results[1].content), /there are not 2 apples/);
// The server checks the schema itself, so the invalid call did not reach the tool.
assert.match(JSON.stringify(results[2].content), /count/);
assert.equal(stock.get('apples'), 1);
console.log('in-process-mcp-tool: sold two apples, refused to sell two more, and a call without a count');
