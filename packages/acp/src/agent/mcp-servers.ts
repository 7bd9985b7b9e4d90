import type { McpServer } from '@agentclientprotocol/sdk';
import { isObject, type Members, objectOf } from '../members.ts';

/** MCP servers as the agent reads them, and the names of those that it cannot start, such as servers in the process of the host. */
export interface AgentMcpServers {
  readonly servers: readonly McpServer[];
  readonly others: readonly string[];
}

/** Converts the configurations of MCP servers, by the names of the servers. */
export function agentMcpServers(configs: Members): AgentMcpServers {
  const converted = Object.entries(configs).map(([name, config]) => ({
    name,
    server: serverOf(name, objectOf(config)),
  }));
  return {
    servers: converted.flatMap(({ server }) => server ?? []),
    others: converted.flatMap(({ name, server }) => (server === undefined ? [name] : [])),
  };
}

function serverOf(name: string, { type = 'stdio', command, args, env, url, headers }: Members): McpServer | undefined {
  if (type === 'stdio' && typeof command === 'string')
    return { name, command, args: Array.isArray(args) ? args.map(String) : [], env: pairsOf(env) };
  if ((type === 'http' || type === 'sse') && typeof url === 'string')
    return { type, name, url, headers: pairsOf(headers) };
  return undefined;
}

function pairsOf(values: unknown): { name: string; value: string }[] {
  return isObject(values) ? Object.entries(values).map(([name, value]) => ({ name, value: String(value) })) : [];
}
