import type { HostMcpServers } from './host-mcp-servers.ts';
import type { PermissionPromptTool } from './permission-prompt-tool.ts';
import { textOf } from './prompt.ts';

/** The tool of a server in the host that answers for the user, by the name models would know it by; undefined where there is none. */
export function findMcpPromptTool(servers: HostMcpServers, name: string): PermissionPromptTool | undefined {
  const server = servers.find(servers.provenanceOf(name)?.name ?? '');
  if (server === undefined) return undefined;
  const tool = name.slice(`mcp__${server.name}__`.length);
  return async (input, signal) => {
    const { content } = await server.callTool(tool, { ...input }, { toolUseID: input.tool_use_id, signal });
    return textOf(content);
  };
}
