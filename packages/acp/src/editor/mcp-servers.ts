import type { McpServer } from '@agentclientprotocol/sdk';
import type { McpServerConfigForProcessTransport } from '@proto/core/messages';

/** The MCP servers of an editor, as the agent reads them from `initialize`. */
export function mcpServersOf(servers: readonly McpServer[]): Record<string, McpServerConfigForProcessTransport> {
  return Object.fromEntries(servers.map((server) => [server.name, configOf(server)]));
}

function configOf(server: McpServer): McpServerConfigForProcessTransport {
  if (!('type' in server)) {
    const { command, args, env } = server;
    return { type: 'stdio', command, args, env: valuesOf(env) };
  }
  const { type, url, headers } = server;
  return { type, url, headers: valuesOf(headers) };
}

function valuesOf(pairs: readonly { readonly name: string; readonly value: string }[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
