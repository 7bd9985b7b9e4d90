import type { RequestContext } from '@proto/core';
import type { HookEvent, HookInput, HookJSONOutput, SDKHookCallbackMatcher } from '@proto/core/internal';

/** What a hook knows beside its input. */
export interface HookContext extends RequestContext {
  /** The call it is about; for events without one, an id of the agent's own. */
  readonly toolUseID: string | undefined;
}

/** Is called when its event happens. Nothing returned is no opinion; what it throws is handled as its matcher's `onFailure` says. */
export type Hook = (
  input: HookInput,
  context: HookContext,
) => HookJSONOutput | undefined | void | Promise<HookJSONOutput | undefined | void>;

/** Hooks for one event. */
export interface HookMatcher {
  /** A pattern of tool names; every call where it is left out. */
  readonly matcher?: string;
  readonly hooks: readonly Hook[];
  /** How long the agent waits for each; it refuses the action then. Default: no limit. */
  readonly timeoutMs?: number;
  /** What a failure of the hook does: `continue`, the default, as if it had no opinion; `block` refuses the action. */
  readonly onFailure?: 'continue' | 'block';
}

/** The hooks of a host, by event. Events that are not known yet are passed on. */
export type Hooks = { readonly [Event in HookEvent]?: readonly HookMatcher[] } & {
  readonly [event: string]: readonly HookMatcher[] | undefined;
};

/** Hooks as the agent is told of them, and each by the id it is told. */
export interface RegisteredHooks {
  /** Absent where there is none. */
  readonly matchers: Readonly<Record<string, readonly SDKHookCallbackMatcher[]>> | undefined;
  readonly callbacks: ReadonlyMap<string, Hook>;
  /** Whether the failure of one must block, which not every agent can. */
  readonly mustBlock: boolean;
}

/** Gives every hook an id. */
export function registerHooks(hooks: Hooks = {}): RegisteredHooks {
  const callbacks = new Map<string, Hook>();
  const register = (hook: Hook) => {
    const id = `hook_${callbacks.size}`;
    callbacks.set(id, hook);
    return id;
  };
  let mustBlock = false;
  const toWire = ({ matcher, hooks: ours, timeoutMs, onFailure }: HookMatcher): SDKHookCallbackMatcher => {
    mustBlock ||= onFailure === 'block';
    return {
      hookCallbackIds: ours.map(register),
      ...(matcher !== undefined && { matcher }),
      ...(timeoutMs !== undefined && { timeout: timeoutMs / 1000 }),
      ...(onFailure !== undefined && { onFailure }),
    };
  };
  const matchers = Object.fromEntries(
    Object.entries(hooks).map(([event, list = []]) => [event, list.map(toWire)] as const),
  );
  return { matchers: callbacks.size > 0 ? matchers : undefined, callbacks, mustBlock };
}
