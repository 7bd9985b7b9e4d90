import { runAgent } from '@proto/agent';
import { withHost } from '@proto/host';
import { createMemoryPair } from '@proto/core/transport';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { expect, test } from 'vitest';

interface ToolResult {
  readonly content: readonly { readonly text: string }[];
}

test('a server of the published MCP package works without changes', async () => {
  const lab = new McpServer({ name: 'lab', version: '1.0.0' });
  lab.registerTool('version', { description: 'Returns the version' }, () => ({
    content: [{ type: 'text', text: '1.0.0' }],
  }));
  const { host: transport, agent } = createMemoryPair();
  const received: unknown[] = [];
  const outcome = runAgent(agent, {
    initializeResponse({ sdkMcpServers, sdkMcpServerManifests }) {
      received.push(sdkMcpServers, sdkMcpServerManifests);
      return {};
    },
    async *runTurn({ request }) {
      const message = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'version', arguments: {} } };
      const answer = await request<{ mcp_response: { result: ToolResult } }>({
        subtype: 'mcp_message',
        server_name: 'lab',
        message,
      });
      const [block] = answer.mcp_response.result.content;
      yield {
        type: 'assistant',
        message: { content: [{ type: 'text', text: block?.text }] },
        parent_tool_use_id: null,
      };
    },
  });
  await withHost({ transport, mcpServers: { lab } }, async (host) => {
    await host.prompt('go').accepted;
    const messages = await all(host.untilResult());
    expect(messages.at(-1)).toMatchObject({ result: '1.0.0' });
    // The server also sends notifications.
    await lab.server.sendToolListChanged();
  });
  await outcome;
  expect(received).toMatchObject([
    ['lab'],
    {
      lab: {
        initializeResult: { serverInfo: { name: 'lab', version: '1.0.0' } },
        toolsListResult: { tools: [{ name: 'version', description: 'Returns the version' }] },
      },
    },
  ]);
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
