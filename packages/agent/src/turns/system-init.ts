import type { WireMessage } from '@proto/core/framing';
import type { AgentOptions } from '../agent-options.ts';
import type { AgentSettings } from '../controls/settings-changes.ts';
import type { HostMcpServer, ToolDefinition } from '../mcp/host-mcp-server.ts';

/** What newer hosts look for before they use it; every agent does these by way of its session. */
const CAPABILITIES = [
  'interrupt_receipt_v1',
  'interrupt_cancel_queued_v1',
  'msg_lifecycle_v1',
  'sdk_mcp_tools_list_changed',
  'sdk_mcp_manifests',
  'mcp_read_resource_v1',
];

const INIT: WireMessage = {
  type: 'system',
  subtype: 'init',
  apiKeySource: 'none',
  claude_code_version: '0.0.0',
  cwd: '',
  slash_commands: [],
  output_style: 'default',
  skills: [],
  plugins: [],
  capabilities: CAPABILITIES,
};

/** The message a turn begins with: what the agent is made of at this moment, every member that hosts require. */
export function systemInit(
  settings: AgentSettings,
  tools: readonly ToolDefinition[],
  servers: readonly HostMcpServer[],
): WireMessage {
  return {
    ...INIT,
    ...settings,
    tools: tools.map(({ name }) => name),
    mcp_servers: servers.map(({ name, status }) => ({ name, status })),
  };
}

/** The agent's own tools and those of the servers, under the names models and rules know them by. */
export function turnTools(
  options: Pick<AgentOptions, 'tools' | 'permissionPromptTool'>,
  servers: readonly HostMcpServer[],
): readonly ToolDefinition[] {
  const served = servers.flatMap((server) =>
    server.tools.map((tool) => ({ ...tool, name: `mcp__${server.name}__${tool.name}` })),
  );
  // A model that could call it would permit itself everything.
  return [...(options.tools?.() ?? []), ...served].filter(({ name }) => name !== options.permissionPromptTool);
}
