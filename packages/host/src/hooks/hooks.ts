import { ControlError, type ControlRequest, type RequestContext } from '@proto/core';
import { checkDurations, checkHookCallback, checkHookOutput, LONGEST_TIMER_MS } from '@proto/core/internal';
import type { HookEvent, HookInput, HookJSONOutput, SDKHookCallbackMatcher } from '@proto/core/messages';
import { assertValid } from '../errors.ts';
import type { HostWire } from '../host-wire.ts';

/** What a hook knows beside its input. */
interface HookContext extends RequestContext {
  /** The tool call that the event is about; for events without a tool call, an id of the agent's own. */
  readonly toolUseID: string | undefined;
}

/** Is called when its event happens. To return nothing is to have no opinion; an error is handled as `onFailure` of its matcher says. */
export type Hook = (
  input: HookInput,
  context: HookContext,
) => HookJSONOutput | undefined | void | Promise<HookJSONOutput | undefined | void>;

/** Hooks for one event. */
interface HookMatcher {
  /** A pattern of tool names. Default: every call. */
  readonly matcher?: string;
  readonly hooks: readonly Hook[];
  /** How long the agent waits for each hook, in milliseconds; it refuses the action after that. Default: no limit. */
  readonly timeoutMs?: number;
  /** What a failure of the hook does: `continue`, the default, as if the hook had no opinion; `block` refuses the action. */
  readonly onFailure?: 'continue' | 'block';
}

/** The hooks of a host, by event. Events that this version does not know are passed on. */
export type Hooks = { readonly [Event in HookEvent]?: readonly HookMatcher[] } & {
  readonly [event: string]: readonly HookMatcher[] | undefined;
};

/** The hooks of one session: their description for the agent, and the calls by the ids in that description. */
export class RegisteredHooks {
  /** As `initialize` has them; undefined if there is no hook. */
  readonly matchers: Readonly<Record<string, readonly SDKHookCallbackMatcher[]>> | undefined;
  /** Whether the failure of a hook must block the action, which not every agent can do. */
  mustBlock = false;
  #hooks: Map<string, Hook> | undefined;

  constructor(wire: HostWire, hooks: Hooks = {}) {
    const matchers = Object.entries(hooks).map(
      ([event, list = []]) => [event, list.map((one) => this.#add(one))] as const,
    );
    this.matchers = this.#hooks && Object.fromEntries(matchers);
    wire.serve({ hook_callback: (request, context) => this.#call(request, context) });
  }

  #add({ matcher, hooks, timeoutMs, onFailure }: HookMatcher): SDKHookCallbackMatcher {
    checkDurations({ timeoutMs }, ['timeoutMs']);
    if (onFailure === 'block') this.mustBlock = true;
    return {
      hookCallbackIds: hooks.map((hook) => this.#name(hook)),
      ...(matcher !== undefined && { matcher }),
      // A longer time would be 1 ms for agents that give it to a timer.
      ...(timeoutMs !== undefined && { timeout: Math.min(timeoutMs, LONGEST_TIMER_MS) / 1000 }),
      ...(onFailure !== undefined && { onFailure }),
    };
  }

  #name(hook: Hook): string {
    this.#hooks ??= new Map();
    const id = `hook_${this.#hooks.size}`;
    this.#hooks.set(id, hook);
    return id;
  }

  async #call(request: ControlRequest, { requestId, signal }: RequestContext): Promise<unknown> {
    const { callback_id: id, input, tool_use_id: toolUseID } = assertValid('hook_callback', checkHookCallback(request));
    const hook = this.#hooks?.get(id);
    if (hook === undefined) throw new ControlError(`No hook callback found for ID: ${id}`);
    return assertValid(`answer of ${id}`, checkHookOutput((await hook(input, { requestId, signal, toolUseID })) ?? {}));
  }
}
