import { ControlError, type ControlRequest, type RequestContext } from '@proto/core';
import { checkDurations, checkHookCallback, checkHookOutput, LONGEST_TIMER_MS } from '@proto/core/internal';
import type { HookEvent, HookInput, HookJSONOutput, SDKHookCallbackMatcher } from '@proto/core/messages';
import { assertValid } from '../errors.ts';
import type { HostWire } from '../host-wire.ts';

/** The second argument of a hook: the context of the call. */
interface HookContext extends RequestContext {
  /** The id of the tool call that the event belongs to. For events without a tool call, the agent chooses an id. */
  readonly toolUseID: string | undefined;
}

type HookInputs = { readonly [Input in HookInput as Input['hook_event_name']]: Input };
type HookAnswer = HookJSONOutput | undefined | void;

/**
 * A callback for an event in the agent. A hook that returns nothing leaves the decision open. The `onFailure` of its matcher determines what happens
 * if the hook throws. A `Hook<'PreToolUse'>` receives the input of `PreToolUse`. A plain `Hook` receives the input of any event.
 */
export type Hook<Event extends HookEvent = HookEvent> = (
  input: HookInputs[Event],
  context: HookContext,
) => HookAnswer | Promise<HookAnswer>;

type AnyHook = {
  // Declared as a method, because method parameters are bivariant: a hook for one event is then assignable to a hook for any event.
  call(...parameters: Parameters<Hook>): ReturnType<Hook>;
}['call'];

/** Hooks for one event. */
interface HookMatcher<One = AnyHook> {
  /**
   * A pattern that the name of the tool must match. For an event without a tool, the pattern applies to another member of the input. Default: every
   * call matches.
   */
  readonly matcher?: string;
  readonly hooks: readonly One[];
  /** How long the agent waits for each hook, in milliseconds. After this time the agent refuses the action. Default: no limit. */
  readonly timeoutMs?: number;
  /** What happens if the hook fails. With `continue`, the default, the hook counts as undecided. With `block`, the agent refuses the action. */
  readonly onFailure?: 'continue' | 'block';
}

/** The hooks of a host, by event. The event determines the input type of its hooks. Events unknown to this version are registered too. */
export type Hooks = { readonly [Event in HookEvent]?: readonly HookMatcher<Hook<Event>>[] } & {
  readonly [event: string]: readonly HookMatcher[] | undefined;
};

/** Calls the hook whose id the agent sends. */
export class RegisteredHooks {
  /** In the form of the `initialize` request. Undefined for a session without hooks. */
  readonly matchers: Readonly<Record<string, readonly SDKHookCallbackMatcher[]>> | undefined;
  /** Whether any hook must block the action if the hook fails. Not every agent supports this. */
  mustBlock = false;
  #hooks: Map<string, AnyHook> | undefined;

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
      // An agent that passed a longer time to a timer would wait only 1 ms.
      ...(timeoutMs !== undefined && { timeout: Math.min(timeoutMs, LONGEST_TIMER_MS) / 1000 }),
      ...(onFailure !== undefined && { onFailure }),
    };
  }

  #name(hook: AnyHook): string {
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
