// An MCP server of its own process, for the agent to start: tells what its environment has.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const server = new McpServer({ name: 'outside', version: '1.0.0' });
server.registerTool('token', { description: 'Tells the token' }, () => ({
  content: [{ type: 'text', text: String(process.env.TOKEN) }],
}));
await server.connect(new StdioServerTransport());
