// An MCP server that the agent starts as a child process. Its tool returns the environment of the server.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const server = new McpServer({ name: 'outside', version: '1.0.0' });
server.registerTool('token', { description: 'Returns the token' }, () => ({
  content: [{ type: 'text', text: String(process.env.TOKEN) }],
}));
await server.connect(new StdioServerTransport());
