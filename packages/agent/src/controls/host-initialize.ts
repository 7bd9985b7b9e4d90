import type { ControlRequest, PendingRequest } from '@proto/core';
import { isRecord } from '@proto/core/internal';
import type { SDKControlInitializeRequest } from '@proto/core/messages';
import type { AgentOptions } from '../agent-options.ts';
import type { AgentWire } from '../agent-wire.ts';
import type { HookRegistry } from '../hooks/hook-registry.ts';
import type { HostMcpServers } from '../mcp/host-mcp-servers.ts';
import { promptCommands, withCommands } from '../mcp/prompt-commands.ts';
import { type ServersByPlace, serversByPlace } from '../mcp/servers-by-place.ts';
import type { BackgroundTasks } from '../tasks/background-tasks.ts';
import type { SessionState } from '../turns/session-state.ts';
import type { SettingsChanges } from './settings-changes.ts';

/** The smallest answer to `initialize` that every host understands. */
const CAPABILITIES = {
  commands: [],
  agents: [],
  output_style: 'default',
  available_output_styles: ['default'],
  models: [],
  account: {},
};

export interface HostInitializeParts {
  readonly hooks: HookRegistry;
  readonly mcp: HostMcpServers;
  readonly settings: SettingsChanges;
  readonly state: SessionState;
  readonly tasks: BackgroundTasks;
}

export interface HostInitialize {
  /** For each member, the latest value that an `initialize` request contained. Empty before the first request. */
  readonly request: Readonly<Partial<SDKControlInitializeRequest>>;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Returns `undefined` if all `initialize` requests so far are answered. */
  ready(): Promise<unknown> | undefined;
}

/**
 * Leaves out members that are `null`, because some hosts write `null` for a member without a value. A member that a later request does not
 * contain keeps its value. Such a request may be from a second client, which must not undo the first client's settings.
 */
function named(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

/** A repeated request gets the same answer as the first request, because hosts repeat the request if they have lost the answer. */
export function installInitialize(
  wire: AgentWire,
  { hooks, mcp, settings, state, tasks }: HostInitializeParts,
): HostInitialize {
  let current: Readonly<Record<string, unknown>> | undefined;
  const answering = new Latest();
  const ownCapabilities = () => ({ ...CAPABILITIES, ...wire.options.initializeResponse?.(current ?? {}) });
  const capabilities = () => withPrompts(ownCapabilities(), mcp);

  mcp.onPrompts = () => wire.send({ type: 'system', subtype: 'commands_changed', commands: capabilities().commands });

  function answer(request: ControlRequest): unknown {
    const { inHost, others } = serversByPlace(isRecord(request['mcpServers']) ? request['mcpServers'] : {});
    const sdkMcpServers = inHost.length === 0 ? request['sdkMcpServers'] : namesOf(request['sdkMcpServers'], inHost);
    // This check comes first, because a request must be accepted or refused as a whole.
    mcp.checkNames(sdkMcpServers);
    const hasHooks = hooks.register(request['hooks']);
    // The report is made in a microtask, which runs after the answer is queued.
    if (current !== undefined) queueMicrotask(() => tasks.report());
    const { subtype: _subtype, ...members } = request;
    current = { ...current, ...named(members) };
    const own = ownCapabilities();
    const offered = {
      ...withPrompts(own, mcp),
      current_permission_mode: settings.current.permissionMode,
      session_state: state.current,
      hook_on_failure_supported: true,
      ...(hasHooks && { hooks_applied: true }),
    };
    const announced = mcp.announce({ ...members, sdkMcpServers });
    const applied = applyServers(wire.options, { inHost, others });
    if (announced === undefined && applied === undefined) return offered;
    // An owner that reads the servers from `turn.initialize` states this in its capabilities, which override `taken`.
    const whole = Promise.all([applied, announced]).then(([taken, parked]) => {
      // The servers have reported their prompts by now.
      const { commands } = withPrompts(own, mcp);
      return { ...taken, ...offered, commands, ...parked };
    });
    answering.add(whole);
    return whole;
  }

  wire.serve({
    initialize: (request, context) =>
      withPendingLists(
        () => answer(request),
        () => context.addResponseMembers(pendingLists(wire.session.pending.list)),
      ),
  });
  return {
    get request() {
      return current ?? {};
    },
    get capabilities() {
      return capabilities();
    },
    ready: () => answering.settled,
  };
}

/** The latest of several promises, until it has settled. */
class Latest {
  settled: Promise<unknown> | undefined;

  add(promise: Promise<unknown>): void {
    const settled = promise
      .catch(() => {})
      .then(() => {
        if (this.settled === settled) this.settled = undefined;
      });
    this.settled = settled;
  }
}

function withPrompts<Own extends { readonly commands: unknown }>(own: Own, mcp: HostMcpServers) {
  return { ...own, commands: withCommands(own.commands, promptCommands(mcp)) };
}

/** Two members of the request can name servers that run in the host. */
function namesOf(named: unknown, inHost: readonly string[]): readonly unknown[] {
  return [...(Array.isArray(named) ? (named as readonly unknown[]) : []), ...inHost];
}

/**
 * Returns a member that a host expects in the answer if it has sent `mcpServers`. Its value is `false` if the agent runs without these servers.
 * Returns `undefined` if the request names no server.
 */
function applyServers(
  { mcp: { onSetServers } = {} }: AgentOptions,
  { inHost, others }: ServersByPlace,
): object | Promise<object> | undefined {
  if (Object.keys(others).length === 0) return inHost.length > 0 ? { mcp_servers_applied: true } : undefined;
  if (onSetServers === undefined) return { mcp_servers_applied: false };
  return Promise.resolve(onSetServers(others)).then(() => ({ mcp_servers_applied: true }));
}

/** Adds the lists of open questions to an answer, or to an error. Questions may be asked or withdrawn while the servers connect. */
function withPendingLists(answer: () => unknown, addLists: () => void): unknown {
  addLists();
  const offered = answer();
  return offered instanceof Promise ? offered.finally(addLists) : offered;
}

/**
 * The open questions, in members next to the payload. A host that has lost the questions can then ask the user again. The lists for permissions and
 * dialogs are always present, as published hosts expect.
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
    // A later list replaces an earlier one.
    pending_elicitation_requests: elicitations.length > 0 ? elicitations : undefined,
  };
}
