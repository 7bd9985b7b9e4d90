import { ControlError, type PendingRequests } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import { isRecord, onAbort } from '@proto/core/internal';
import type { AgentWire } from '../agent-wire.ts';
import type { SettingsChanges } from '../controls/settings-changes.ts';
import { createHookCallback, type HookCall, type HookCallback } from './hook-callback.ts';
import { type HookOutcome, mergeHookOutputs } from './hook-outcome.ts';

/** What hooks are called through, and what every call says. */
export interface HookRegistryOptions {
  readonly session: Pick<PendingRequests, 'request' | 'createId'>;
  /** Writes a message for the user: a hook that failed and was passed over. */
  readonly tell: (message: WireMessage) => void;
  /** The members of every input; asked anew for each call. */
  readonly input: () => Readonly<Record<string, unknown>>;
}

/** The hooks of the host, as `initialize` registers them. */
export interface HookRegistry {
  /**
   * Takes the `hooks` of an `initialize` in the place of those before, whose open calls are taken back; false where it registers none.
   * An `initialize` that names no hooks leaves those there are. Throws a `ControlError` for what is no registration, and keeps the
   * hooks it had.
   */
  register(hooks: unknown): boolean;
  /** Those registered for an event and what it is about. */
  matching(call: HookCall): readonly HookCallback[];
  /** Calls all that match at once and waits for all. Never rejects: a hook that fails has an outcome too. */
  run(call: HookCall, signal: AbortSignal): Promise<HookOutcome>;
  /** What a hook is called with: the members of every input, and its own. */
  inputOf(call: HookCall): HookCall;
}

interface Registration {
  readonly event: string;
  readonly matches: (subject: unknown) => boolean;
  readonly hooks: readonly HookCallback[];
}

/** Which member of an input its matcher is for; of the others it is the tool. */
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

/** The hooks of the host, who has registered none yet. What it does not know of the session each call tells. */
export function installHooks(
  { tell, sessionId, options }: AgentWire,
  session: HookRegistryOptions['session'],
  settings: SettingsChanges,
): HookRegistry {
  const input = () => {
    const { cwd = '' } = options.init?.() ?? {};
    const { permissionMode: permission_mode } = settings.current;
    return { session_id: sessionId, transcript_path: '', cwd, permission_mode, ...options.hookInput?.() };
  };
  return createHookRegistry({ session, tell, input });
}

function createHookRegistry({ session, tell, input }: HookRegistryOptions): HookRegistry {
  const open = new Set<AbortController>();
  let registered: readonly Registration[] = [];

  function matching(call: HookCall): readonly HookCallback[] {
    const event = call.hook_event_name;
    const subject = call[SUBJECTS[event] ?? 'tool_name'];
    return registered
      .filter((registration) => registration.event === event && registration.matches(subject))
      .flatMap(({ hooks }) => hooks);
  }

  const inputOf = (call: HookCall): HookCall => ({ ...input(), ...call });

  return {
    register(hooks) {
      // Some hosts write `null` where they have nothing to say. None at all are registered by an empty object.
      if (hooks === undefined || hooks === null) return false;
      const entries = Object.entries(recordOf(hooks, 'hooks'));
      const next = entries.flatMap(([event, matchers]) =>
        listOf(matchers ?? [], `hooks.${event}`).map((matcher) =>
          registration(event, recordOf(matcher, `hooks.${event}`)),
        ),
      );
      for (const controller of open) controller.abort(new DOMException('replaced by a later initialize', 'AbortError'));
      registered = next;
      return next.length > 0;
    },
    matching,
    inputOf,
    async run(call, signal) {
      const { hook_event_name: event, tool_use_id: id } = call;
      const hooks = matching(call);
      // Where no tool is called there is an id all the same.
      const toolUseID = typeof id === 'string' ? id : session.createId();
      const outputs = hooks.map(({ callback }) => callback(inputOf(call), toolUseID, signal));
      return mergeHookOutputs(event, await Promise.all(outputs));
    },
  };

  /** A call of it that is open when its registration is replaced is taken back. */
  function replaceable(hook: HookCallback): HookCallback {
    return {
      ...hook,
      async callback(call, toolUseID, signal) {
        const controller = new AbortController();
        const forget = onAbort(signal, () => controller.abort(signal.reason));
        if (signal.aborted) controller.abort(signal.reason);
        open.add(controller);
        try {
          return await hook.callback(call, toolUseID, controller.signal);
        } finally {
          forget();
          open.delete(controller);
        }
      },
    };
  }

  function registration(
    event: string,
    { matcher, hookCallbackIds, timeout, onFailure }: Record<string, unknown>,
  ): Registration {
    const limit = typeof timeout === 'number' ? { timeoutSeconds: timeout } : {};
    const policy = onFailure === 'block' ? ({ onFailure } as const) : {};
    return {
      event,
      matches: matcherOf(matcher),
      hooks: listOf(hookCallbackIds, 'hookCallbackIds').map((id) =>
        replaceable(createHookCallback(String(id), { session, tell, ...limit, ...policy })),
      ),
    };
  }
}

/**
 * Names with a bar between them, or a pattern. None, an empty one and a star match all, and so does a pattern that is broken: the hook
 * may be there to forbid something.
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
