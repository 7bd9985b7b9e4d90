import type { ControlRequest } from '@proto/core';
import type { PendingRequest, SDKControlInitializeRequest } from '@proto/core/internal';
import type { AgentWire } from '../agent-wire.ts';
import type { HookRegistry } from '../hooks/hook-registry.ts';
import { type HostMcpServers, hostServerNames } from '../mcp/host-mcp-servers.ts';
import type { BackgroundTasks } from '../tasks/background-tasks.ts';
import type { SessionState } from '../turns/session-state.ts';
import type { SettingsChanges } from './settings-changes.ts';

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
export interface HostInitializeParts {
  readonly hooks: HookRegistry;
  readonly mcp: HostMcpServers;
  readonly settings: SettingsChanges;
  readonly state: SessionState;
  readonly tasks: BackgroundTasks;
}

/** What the host said about itself, and what it was answered. */
export interface HostInitialize {
  /** The members of all its `initialize` requests, of each the one that came last; empty without a request. */
  readonly request: Readonly<Partial<SDKControlInitializeRequest>>;
  readonly capabilities: Readonly<Record<string, unknown>>;
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

/** Serves `initialize`. One that is repeated is answered like the first: hosts do that after they have lost the answer. */
export function installInitialize(
  wire: AgentWire,
  { hooks, mcp, settings, state, tasks }: HostInitializeParts,
): HostInitialize {
  let current: Readonly<Record<string, unknown>> | undefined;
  let answered: Promise<unknown> = Promise.resolve();
  const capabilities = () => ({ ...CAPABILITIES, ...wire.options.capabilities?.(current ?? {}) });

  function answer(request: ControlRequest): unknown {
    // Before anything is taken: a request is taken as a whole or refused as a whole.
    hostServerNames(request['sdkMcpServers']);
    const hasHooks = hooks.register(request['hooks']);
    // Behind the answer.
    if (current !== undefined) queueMicrotask(() => tasks.tell());
    const { subtype: _subtype, ...members } = request;
    current = { ...current, ...named(members) };
    const offered = {
      ...capabilities(),
      current_permission_mode: settings.current.permissionMode,
      session_state: state.current,
      hook_on_failure_supported: true,
      ...(hasHooks && { hooks_applied: true }),
    };
    const announced = mcp.announce(members);
    if (announced === undefined) return offered;
    const whole = announced.then((parked) => ({ ...offered, ...parked }));
    answered = whole.catch(() => {});
    return whole;
  }

  wire.serve({
    initialize(request, context) {
      context.addBeside(pendingLists(wire.session.pending.list));
      return answer(request);
    },
  });
  return {
    get request() {
      return current ?? {};
    },
    get capabilities() {
      return capabilities();
    },
    ready: () => answered,
  };
}

/**
 * The questions that are open, as members of an answer to `initialize` beside its payload: a host that has lost them puts them again.
 * The lists for permissions and dialogs are always there, as published hosts expect.
 */
function pendingLists(pending: readonly PendingRequest[]): Readonly<Record<string, unknown>> {
  const framesOf = (subtype: string) =>
    pending
      .filter(({ request }) => request.subtype === subtype)
      .map(({ requestId: request_id, request }) => ({ type: 'control_request', request_id, request }));
  const elicitations = framesOf('elicitation');
  return {
    pending_permission_requests: framesOf('can_use_tool'),
    pending_user_dialog_requests: framesOf('request_user_dialog'),
    ...(elicitations.length > 0 && { pending_elicitation_requests: elicitations }),
  };
}
