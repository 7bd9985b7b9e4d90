import type { McpServer } from '@agentclientprotocol/sdk';
import type { McpServerConfigForProcessTransport } from '@proto/core/messages';
import { type Members, objectOf } from './members.ts';

/** The MCP servers of an editor, as an agent reads them from `initialize`: configurations by the names of the servers. */
export function mcpConfigs(servers: readonly McpServer[]): Record<string, McpServerConfigForProcessTransport> {
  return Object.fromEntries(servers.map((server) => [server.name, configOf(server)]));
}

function configOf(server: McpServer): McpServerConfigForProcessTransport {
  if ('type' in server) return { type: server.type, url: server.url, headers: valuesOf(server.headers) };
  return { type: 'stdio', command: server.command, args: server.args, env: valuesOf(server.env) };
}

/** The MCP servers of a host, as an ACP agent reads them, and the names of those that it cannot start, such as servers in the process of the host. */
export function agentMcpServers(configs: Members): { readonly servers: McpServer[]; readonly others: string[] } {
  const servers = Object.entries(configs).flatMap(([name, config]) => serverOf(name, objectOf(config)) ?? []);
  const others = Object.keys(configs).filter((name) => !servers.some((server) => server.name === name));
  return { servers, others };
}

function serverOf(name: string, { type = 'stdio', command, args, env, url, headers }: Members): McpServer | undefined {
  if (type === 'stdio' && typeof command === 'string')
    return { name, command, args: Array.isArray(args) ? args.map(String) : [], env: pairsOf(env) };
  if ((type === 'http' || type === 'sse') && typeof url === 'string')
    return { type, name, url, headers: pairsOf(headers) };
  return undefined;
}

type Pairs = { name: string; value: string }[];

function valuesOf(pairs: Readonly<Pairs>): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}

function pairsOf(values: unknown): Pairs {
  return Object.entries(objectOf(values)).map(([name, value]) => ({ name, value: String(value) }));
}
