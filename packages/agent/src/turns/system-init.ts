import type { WireMessage } from '@proto/core/framing';
import type { AgentOptions } from '../agent-options.ts';
import type { AgentSettings } from '../controls/settings-changes.ts';
import type { HostMcpServer, ToolDefinition } from '../mcp/host-mcp-server.ts';

/** Capabilities that newer hosts check for before they use the feature. The session implements these features for every agent. */
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

/** Creates the message that begins a turn. This message describes the agent's current settings, with every member that hosts require. */
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

/** The tools of the agent and of the MCP servers, with the names that models and rules use. */
export function turnTools(
  options: Pick<AgentOptions, 'tools' | 'permissions'>,
  servers: readonly HostMcpServer[],
): readonly ToolDefinition[] {
  const served = servers.flatMap((server) =>
    server.tools.map((tool) => ({ ...tool, name: `mcp__${server.name}__${tool.name}` })),
  );
  // A model that could call the permission tool could allow itself everything.
  return [...(options.tools?.() ?? []), ...served].filter(({ name }) => name !== options.permissions?.promptTool);
}
