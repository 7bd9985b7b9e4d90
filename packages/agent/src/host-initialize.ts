import type { ControlRequest } from '@proto/core';
import type { SDKControlInitializeRequest } from '@proto/core/internal';
import type { AgentOptions } from './agent-options.ts';
import type { HookRegistry } from './hook-registry.ts';
import { type HostMcpServers, hostServerNames } from './host-mcp-servers.ts';

/** The least that every host understands as an answer to `initialize`. */
const CAPABILITIES = {
  commands: [],
  agents: [],
  output_style: 'default',
  available_output_styles: ['default'],
  models: [],
  account: {},
};

/** What `initialize` acts on. */
export interface HostInitializeOptions {
  readonly agent: AgentOptions;
  readonly hooks: HookRegistry;
  readonly mcp: HostMcpServers;
  /** Members of every answer. */
  readonly state: () => object;
  /** It is not the first one. */
  readonly onRepeat: () => void;
}

/** What the host said about itself, and what it was answered. */
export interface HostInitialize {
  /** The members of all its `initialize` requests, of each the one that came last; empty without a request. */
  readonly request: Readonly<Partial<SDKControlInitializeRequest>>;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Serves one. Answered like the first when it is repeated: hosts do that after they have lost the answer. */
  serve(request: ControlRequest): unknown;
  /** Fulfils when those that came have been answered. */
  ready(): Promise<unknown>;
}

/**
 * The members that a request says something of; some hosts write `null` where they have nothing to say. What a later request does not
 * name stays as it was: it may come from a second client, which must not undo what the first one has set.
 */
function named(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

/** Makes what serves `initialize`, of which none has come yet. */
export function createHostInitialize({ agent, hooks, mcp, state, onRepeat }: HostInitializeOptions): HostInitialize {
  let current: Readonly<Record<string, unknown>> | undefined;
  let answered: Promise<unknown> = Promise.resolve();
  const capabilities = () => ({ ...CAPABILITIES, ...agent.capabilities?.(current ?? {}) });

  return {
    get request() {
      return current ?? {};
    },
    get capabilities() {
      return capabilities();
    },
    serve(request) {
      // Before anything is taken: a request is taken as a whole or refused as a whole.
      hostServerNames(request['sdkMcpServers']);
      const hasHooks = hooks.register(request['hooks']);
      // Behind the answer.
      if (current !== undefined) queueMicrotask(onRepeat);
      const { subtype: _subtype, ...members } = request;
      current = { ...current, ...named(members) };
      const answer = {
        ...capabilities(),
        ...state(),
        hook_on_failure_supported: true,
        ...(hasHooks && { hooks_applied: true }),
      };
      const announced = mcp.announce(members);
      if (announced === undefined) return answer;
      const whole = announced.then((parked) => ({ ...answer, ...parked }));
      answered = whole.catch(() => {});
      return whole;
    },
    ready: () => answered,
  };
}
