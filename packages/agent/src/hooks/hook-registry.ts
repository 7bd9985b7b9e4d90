import { ControlError, type PendingRequests } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import { isRecord, onAbort } from '@proto/core/internal';
import type { AgentWire } from '../agent-wire.ts';
import type { SettingsChanges } from '../controls/settings-changes.ts';
import { createHookCallback, type HookCall, type HookCallback } from './hook-callback.ts';
import { type HookOutcome, mergeHookOutputs } from './hook-outcome.ts';

export interface HookRegistryOptions {
  readonly session: Pick<PendingRequests, 'request' | 'createId'>;
  readonly send: (message: WireMessage) => void;
  /** Returns the members that every hook input contains. Called for each hook call. */
  readonly input: () => Readonly<Record<string, unknown>>;
}

interface Registration {
  readonly event: string;
  readonly matches: (subject: unknown) => boolean;
  readonly hooks: readonly HookCallback[];
}

/** The input member that a matcher is compared with, by event. For events that are not listed here, this member is `tool_name`. */
const SUBJECTS: Readonly<Record<string, string>> = {
  ConfigChange: 'source',
  Elicitation: 'mcp_server_name',
  ElicitationResult: 'mcp_server_name',
  InstructionsLoaded: 'load_reason',
  Notification: 'notification_type',
  PostCompact: 'trigger',
  PreCompact: 'trigger',
  SessionEnd: 'reason',
  SessionStart: 'source',
  Setup: 'trigger',
  StopFailure: 'error',
  SubagentStart: 'agent_type',
  SubagentStop: 'agent_type',
  UserPromptExpansion: 'command_name',
};

/** Each hook input contains the session id, the working directory and the permission mode. */
export function installHooks(
  { send, sessionId, options }: AgentWire,
  session: HookRegistryOptions['session'],
  settings: SettingsChanges,
): HookRegistry {
  const input = () => {
    const { cwd = '' } = options.initMessage?.() ?? {};
    const { permissionMode: permission_mode } = settings.current;
    return { session_id: sessionId, transcript_path: '', cwd, permission_mode, ...options.hookDefaults?.() };
  };
  return new HookRegistry({ session, send, input });
}

export class HookRegistry {
  readonly #options: HookRegistryOptions;
  readonly #open = new Set<AbortController>();
  #registered: readonly Registration[] = [];

  constructor(options: HookRegistryOptions) {
    this.#options = options;
  }

  /**
   * Also cancels open calls of the hooks that are replaced. `undefined` and `null` change nothing. Returns whether any hook is registered. After an
   * error, the earlier hooks stay registered.
   *
   * @throws {ControlError} with the code `invalid_request` if `hooks` is not a valid registration
   */
  register(hooks: unknown): boolean {
    // Some hosts write `null` for an absent member. An empty object removes all hooks.
    if (hooks === undefined || hooks === null) return false;
    const entries = Object.entries(recordOf(hooks, 'hooks'));
    const next = entries.flatMap(([event, matchers]) =>
      listOf(matchers ?? [], `hooks.${event}`).map((matcher) =>
        this.#registration(event, recordOf(matcher, `hooks.${event}`)),
      ),
    );
    const replaced = new DOMException('replaced by a later initialize', 'AbortError');
    for (const controller of this.#open) controller.abort(replaced);
    this.#registered = next;
    return next.length > 0;
  }

  matching(call: HookCall): readonly HookCallback[] {
    const event = call.hook_event_name;
    const subject = call[SUBJECTS[event] ?? 'tool_name'];
    return this.#registered
      .filter((registration) => registration.event === event && registration.matches(subject))
      .flatMap(({ hooks }) => hooks);
  }

  /** Calls all matching hooks at the same time. Never rejects, because a hook that fails has an outcome too. */
  async run(call: HookCall, signal: AbortSignal): Promise<HookOutcome> {
    const { hook_event_name: event, tool_use_id: id } = call;
    const hooks = this.matching(call);
    // Events without a tool call need an id too.
    const toolUseID = typeof id === 'string' ? id : this.#options.session.createId();
    const outputs = hooks.map(({ callback }) => callback(this.inputOf(call), toolUseID, signal));
    return mergeHookOutputs(event, await Promise.all(outputs));
  }

  inputOf(call: HookCall): HookCall {
    return { ...this.#options.input(), ...call };
  }

  #registration(
    event: string,
    { matcher, hookCallbackIds, timeout, onFailure }: Record<string, unknown>,
  ): Registration {
    const { session, send } = this.#options;
    const limit = typeof timeout === 'number' ? { timeoutSeconds: timeout } : {};
    const policy = onFailure === 'block' ? ({ onFailure } as const) : {};
    return {
      event,
      matches: matcherOf(matcher),
      hooks: listOf(hookCallbackIds, 'hookCallbackIds').map((id) =>
        this.#replaceable(createHookCallback(String(id), { session, send, ...limit, ...policy })),
      ),
    };
  }

  /** The open calls of the hook end when a later registration replaces it. */
  #replaceable(hook: HookCallback): HookCallback {
    return {
      ...hook,
      callback: async (call, toolUseID, signal, onOutput) => {
        const controller = new AbortController();
        const forget = onAbort(signal, () => controller.abort(signal.reason));
        if (signal.aborted) controller.abort(signal.reason);
        this.#open.add(controller);
        try {
          return await hook.callback(call, toolUseID, controller.signal, onOutput);
        } finally {
          forget();
          this.#open.delete(controller);
        }
      },
    };
  }
}

/**
 * A matcher contains names separated by `|`, or a regular expression. A missing or empty matcher and `*` match all subjects. An invalid expression
 * also matches all subjects, because the hook may be meant to forbid something.
 */
function matcherOf(matcher: unknown): (subject: unknown) => boolean {
  if (typeof matcher !== 'string' || matcher === '' || matcher === '*') return () => true;
  const names = /^[\w|-]+$/.test(matcher) ? matcher.split('|') : undefined;
  const pattern = patternOf(matcher);
  return (subject) => typeof subject !== 'string' || (names?.includes(subject) ?? pattern?.test(subject) ?? true);
}

function patternOf(matcher: string): RegExp | undefined {
  try {
    return new RegExp(matcher);
  } catch {
    return undefined;
  }
}

function recordOf(value: unknown, name: string): Record<string, unknown> {
  if (!isRecord(value)) throw invalid(name, 'an object');
  return value;
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(name, 'an array');
  return value;
}

function invalid(name: string, what: string): ControlError {
  return new ControlError(`${name} must be ${what}`, { code: 'invalid_request' });
}
