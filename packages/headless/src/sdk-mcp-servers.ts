import { readFile } from 'node:fs/promises';
import type { HeadlessOptions, JsonObject } from './options.ts';

/**
 * The MCP servers that live in the host, by what `--mcp-config` announces: the entries of type `sdk`. Rejects with what is wrong with
 * a configuration.
 */
export async function sdkMcpServers({ mcpConfig = [] }: HeadlessOptions): Promise<readonly string[]> {
  const configs = await Promise.all(
    mcpConfig.map(async (config) => (typeof config === 'string' ? load(config) : config)),
  );
  const names = configs.flatMap(({ mcpServers }) =>
    Object.entries(isObject(mcpServers) ? mcpServers : {}).flatMap(([name, server]) =>
      isObject(server) && server['type'] === 'sdk' ? name : [],
    ),
  );
  return [...new Set(names)];
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
