import type { HostMcpServer } from './host-mcp-server.ts';

/** A tool as the Messages API and MCP describe it. */
export interface ToolDefinition {
  readonly name: string;
  readonly [member: string]: unknown;
}

/** The agent's own tools and those of the servers, under the names models and rules know them by. */
export function turnTools(
  own: readonly ToolDefinition[],
  servers: readonly HostMcpServer[],
  permissionPromptTool: string | undefined,
): readonly ToolDefinition[] {
  const served = servers.flatMap((server) =>
    server.tools.map((tool) => ({ ...tool, name: `mcp__${server.name}__${tool.name}` })),
  );
  // A model that could call it would permit itself everything.
  return [...own, ...served].filter(({ name }) => name !== permissionPromptTool);
}
