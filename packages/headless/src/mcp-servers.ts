import { readFile } from 'node:fs/promises';
import type { HeadlessOptions, JsonObject } from './options.ts';

/** The names of MCP servers, by where they live. */
export interface McpServerNames {
  /** Those of type `sdk`. */
  readonly inHost: readonly string[];
  /** Those that an agent would have to start or to connect to. */
  readonly others: readonly string[];
}

/** The MCP servers that `--mcp-config` names. Rejects with what is wrong with a configuration. */
export async function mcpServers({ mcpConfig = [] }: HeadlessOptions): Promise<McpServerNames> {
  const configs = await Promise.all(
    mcpConfig.map(async (config) => (typeof config === 'string' ? load(config) : config)),
  );
  const servers = configs.flatMap((config) => Object.entries(isObject(config.mcpServers) ? config.mcpServers : {}));
  const isInHost = (server: unknown) => isObject(server) && server['type'] === 'sdk';
  const namesOf = (inHost: boolean) => [
    ...new Set(servers.flatMap(([name, server]) => (isInHost(server) === inHost ? name : []))),
  ];
  return { inHost: namesOf(true), others: namesOf(false) };
}

async function load(path: string): Promise<JsonObject> {
  let config: unknown;
  try {
    config = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new Error(`Invalid MCP configuration: ${path} cannot be read as JSON`, { cause });
  }
  if (!isObject(config)) throw new Error(`Invalid MCP configuration: ${path} holds no object`);
  return config;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
