import { ControlError } from '@proto/core';
import type { AgentWire } from '../agent-wire.ts';
import type { HostMcpServers } from '../mcp/host-mcp-servers.ts';
import type { Conversation } from '../transcript/conversation.ts';
import { textMember, unsupported } from './control-members.ts';
import type { HostInitialize } from './host-initialize.ts';
import { SessionTitles } from './session-title.ts';

/**
 * The answer to `get_hooks_listing`. The list is empty, because the host already knows the callbacks that it has registered. An agent that has its
 * own hooks serves this request itself.
 */
const NO_HOOKS_OF_SETTINGS = {
  events: [],
  hooks: [],
  eventCatalog: [],
  policy: { disabledByPolicy: false, managedOnly: false, pluginOnly: false, allDisabled: false, policyHookCount: 0 },
};

interface SessionControlParts {
  readonly initialize: HostInitialize;
  readonly mcp: HostMcpServers;
  readonly conversation: Conversation;
}

/** Serves the host's requests that do not concern turns, settings or MCP servers. */
export function installSessionControls(wire: AgentWire, { initialize, mcp, conversation }: SessionControlParts): void {
  const { options, sessionId } = wire;
  const titles = new SessionTitles(wire, conversation);
  wire.serve({
    rename_session(request) {
      const { session_id: id = sessionId, source } = request;
      if (id !== sessionId) throw new ControlError('session_id is not the id of the current session');
      titles.rename(textMember(request, 'title'), source);
    },
    // The session does not end here, but with the end of the input.
    end_session: () => undefined,
    set_has_subscribers: () => undefined,
    // An agent that suggests prompts serves this request itself.
    set_prompt_suggestions_paused: () => undefined,
    remote_control({ enabled }) {
      if (enabled === true) throw unsupported('This agent cannot be controlled remotely through its host');
    },
    get_plan: () => ({ exists: false }),
    get_hooks_listing: () => NO_HOOKS_OF_SETTINGS,
    // The answer contains a reason instead of an error: hosts show the reason to the user, but show an error as a failure.
    submit_feedback: () => ({ feedback_id: null, unavailable_reason: 'This agent does not send feedback.' }),
    // Agents that record which files they have read serve this request themselves.
    seed_read_state: (request) => void textMember(request, 'path'),
    rewind_files(request) {
      if (options.onRewindFiles === undefined) throw new ControlError('File rewinding is not enabled.');
      return options.onRewindFiles(request);
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
