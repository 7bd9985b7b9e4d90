import type { InProcessMcpServer, McpTransport } from '@proto/host';

const TOOL = { name: 'add', description: 'Adds two numbers.', inputSchema: { type: 'object' } };

interface Request {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly arguments?: { readonly a: number; readonly b: number } };
}

/** Creates an MCP server within this program, with one tool. A real program would use `McpServer` of `@modelcontextprotocol/sdk`. */
export function createCalculator(): InProcessMcpServer {
  return {
    async connect(transport: McpTransport) {
      transport.onmessage = ({ id, method = '', params }: Request) => {
        const result = id === undefined ? undefined : resultOf(method, params);
        if (result !== undefined) void transport.send({ jsonrpc: '2.0', id, result });
      };
      await transport.start();
    },
  };
}

function resultOf(method: string, params: Request['params']): object {
  switch (method) {
    case 'initialize':
      return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'demo', version: '1' } };
    case 'tools/list':
      return { tools: [TOOL] };
    case 'tools/call': {
      const { a, b } = params?.arguments ?? { a: 0, b: 0 };
      return { content: [{ type: 'text', text: `${a} + ${b} = ${a + b}` }] };
    }
    default:
      return {};
  }
}
