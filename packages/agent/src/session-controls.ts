import { ControlError, type RequestHandler } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import type { AgentSettings } from './agent-controls.ts';
import type { AgentOptions } from './agent-options.ts';
import type { BackgroundTasks } from './background-tasks.ts';
import { invalidRequest, objectMember, textMember } from './control-members.ts';
import type { HostMcpServers } from './host-mcp-servers.ts';

/** What the requests of a host around a session act on. */
export interface SessionControlsOptions {
  readonly seams: Pick<AgentOptions, 'applySettings'>;
  readonly sessionId: () => string;
  readonly settings: AgentSettings;
  /** What the agent offers at this moment. */
  readonly capabilities: () => Readonly<Record<string, unknown>>;
  readonly tasks: () => BackgroundTasks;
  readonly mcp: () => HostMcpServers;
  readonly emit: (message: WireMessage) => void;
}

// The only settings a host may write for good.
const WRITABLE: readonly string[] = ['localSettings.outputStyle', 'userSettings.effortLevel'];

/** Serves what a host asks of a session beside its turns. */
export function createSessionControls(options: SessionControlsOptions): Readonly<Record<string, RequestHandler>> {
  const { seams, settings, capabilities, tasks, mcp, emit } = options;
  let flags: Readonly<Record<string, unknown>> = {};

  return {
    rename_session(request) {
      const { session_id: id = options.sessionId(), source } = request;
      if (id !== options.sessionId()) throw new ControlError('not the current session');
      emit({ type: 'system', subtype: 'session_title_changed', title: textMember(request, 'title'), source });
    },
    // The end of the input is what ends it.
    end_session: () => undefined,
    set_has_subscribers: () => undefined,
    // Of use to agents that remember what they have read; those serve it themselves.
    seed_read_state: (request) => void textMember(request, 'path'),
    list_models: () => ({ models: capabilities()['models'] }),
    reload_skills: () => ({ skills: capabilities()['commands'] }),
    reload_output_styles: () => ({ available_output_styles: capabilities()['available_output_styles'] }),
    reload_plugins() {
      const { commands, agents, plugins = [] } = capabilities();
      return { commands, agents, plugins, mcpServers: mcp().statuses, error_count: 0 };
    },
    async apply_flag_settings(request) {
      const changed = objectMember(request, 'settings');
      await seams.applySettings?.(changed, 'flagSettings');
      const merged = Object.entries({ ...flags, ...changed }).filter(([, value]) => value !== null);
      flags = Object.fromEntries(merged);
    },
    async update_settings(request) {
      const source = textMember(request, 'source');
      const changed = objectMember(request, 'settings');
      for (const [name, value] of Object.entries(changed)) {
        const isWritable = WRITABLE.includes(`${source}.${name}`) && typeof value === 'string';
        if (!isWritable || seams.applySettings === undefined)
          throw invalidRequest(`${source}.${name} cannot be written`);
      }
      await seams.applySettings?.(changed, source);
      return {};
    },
    get_settings: () => ({
      effective: flags,
      sources: Object.keys(flags).length > 0 ? [{ source: 'flagSettings', settings: flags }] : [],
      applied: { model: settings.model },
    }),
    stop_task({ task_id }) {
      // One that is unknown is over; hosts stop what has just ended.
      if (typeof task_id === 'string') tasks().stop(task_id);
      return {};
    },
    // A tool that runs belongs to its loop.
    background_tasks: () => ({ backgrounded: false }),
    get_task_output(request) {
      const output = tasks().outputOf(textMember(request, 'task_id'));
      if (output === undefined) throw new ControlError('No such task, or it has no output');
      return output;
    },
  };
}
