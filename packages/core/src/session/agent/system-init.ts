import type { WireMessage } from '../../framing/parse-line.ts';
import type { AgentSettings } from './agent-controls.ts';
import type { HostMcpServer } from './host-mcp-server.ts';
import type { ToolDefinition } from './turn-tools.ts';

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
