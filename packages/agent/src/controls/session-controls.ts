import { ControlError } from '@proto/core';
import type { AgentWire } from '../agent-wire.ts';
import type { HostMcpServers } from '../mcp/host-mcp-servers.ts';
import { textMember } from './control-members.ts';
import type { HostInitialize } from './host-initialize.ts';

/** Serves the requests of a host that are not about turns, settings or MCP servers. */
export function installSessionControls(wire: AgentWire, initialize: HostInitialize, mcp: HostMcpServers): void {
  const { options, sessionId } = wire;
  wire.serve({
    rename_session(request) {
      const { session_id: id = sessionId, source } = request;
      if (id !== sessionId) throw new ControlError('not the current session');
      wire.tell({ type: 'system', subtype: 'session_title_changed', title: textMember(request, 'title'), source });
    },
    // The session ends with the end of the input, and not here.
    end_session: () => undefined,
    set_has_subscribers: () => undefined,
    // Agents that remember the files which they have read serve this request themselves.
    seed_read_state: (request) => void textMember(request, 'path'),
    rewind_files(request) {
      if (options.rewind === undefined) throw new ControlError('File rewinding is not enabled.');
      return options.rewind(request);
    },
    list_models: () => ({ models: initialize.capabilities['models'] }),
    reload_skills: () => ({ skills: initialize.capabilities['commands'] }),
    reload_output_styles: () => ({ available_output_styles: initialize.capabilities['available_output_styles'] }),
    reload_plugins() {
      const { commands, agents, plugins = [] } = initialize.capabilities;
      return { commands, agents, plugins, mcpServers: mcp.statuses, error_count: 0 };
    },
  });
}
