import { ControlError } from '@proto/core';
import { checkControlRequest, type ControlRequestFrame, requestIdOf } from '@proto/core/internal';
import type { SDKControlInitializeResponse } from '@proto/core/messages';
import { TransportError } from '@proto/core/transport';
import type { RegisteredHooks } from '../hooks/hooks.ts';
import type { HostSessionOptions } from '../host-options.ts';
import type { HostWire } from '../host-wire.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';

const DEFAULT_INITIALIZE_TIMEOUT_MS = 60_000;
const PENDING_LISTS = ['pending_permission_requests', 'pending_user_dialog_requests', 'pending_elicitation_requests'];

export interface HandshakeParts {
  readonly options: HostSessionOptions;
  readonly hooks: RegisteredHooks;
  readonly servers: McpServers;
}

/** Sends the `initialize` request, if needed more than once. Prompts wait for `held`. */
export class Handshake {
  readonly #wire: HostWire;
  readonly #parts: HandshakeParts;
  /** The id of the open `initialize` request, and the ids of the requests that the agent has sent since this request was sent. */
  #current: { readonly requestId: string; readonly asked: Set<unknown> } | undefined;
  #hasTimedOut = false;
  /**
   * Prompts wait for this promise, which fulfils when the request is written and the agent has confirmed the features that not every agent supports.
   */
  held: Promise<unknown> | undefined;

  constructor(wire: HostWire, parts: HandshakeParts) {
    this.#wire = wire;
    this.#parts = parts;
  }

  start(): Promise<SDKControlInitializeResponse> {
    const { servers } = this.#parts;
    const written =
      servers.names.length === 0
        ? { answer: this.#initialize() }
        : servers.manifests().then((manifests) => ({ answer: this.#initialize(manifests) }));
    const answer = Promise.resolve(written).then((sent) => sent.answer);
    const held = this.#required.length > 0 ? answer : written;
    if (held instanceof Promise) this.#hold(held);
    return answer;
  }

  asked(requestId: unknown): void {
    this.#current?.asked.add(requestId);
  }

  /**
   * Returns the requests that the agent sent before `initialize`, as listed in the answer. Requests that arrived after `initialize` are left out.
   * Empty if `response` does not answer the open `initialize`.
   */
  openRequests(response: Readonly<Record<string, unknown>>): readonly ControlRequestFrame[] {
    if (this.#current === undefined || requestIdOf(response) !== this.#current.requestId) return [];
    const { asked } = this.#current;
    this.#current = undefined;
    const frames = PENDING_LISTS.flatMap((list) => response[list] ?? []);
    return frames
      .flatMap((frame) => checkControlRequest(frame).value ?? [])
      .filter((frame) => !asked.has(frame.request_id));
  }

  /**
   * True if the agent did not answer `initialize` in time and has sent no other message. Such an agent may be a program that reads its whole input
   * before it begins.
   */
  get isMute(): boolean {
    if (!this.#hasTimedOut || this.#wire.lastMessageAt !== undefined) return false;
    const { options, hooks, servers } = this.#parts;
    const { canUseTool, onElicitation, dialogs, handlers } = options;
    const isServing = [canUseTool, onElicitation, dialogs, handlers, hooks.matchers].some((one) => one !== undefined);
    // If the agent could send requests to this host, the time is not limited, because the agent may be a worker that has not started yet.
    return !isServing && servers.names.length === 0;
  }

  get #required(): readonly (keyof SDKControlInitializeResponse)[] {
    const { mcpServers, plugins } = this.#parts.options.initialize ?? {};
    return [
      ...(this.#parts.hooks.mustBlock ? (['hook_on_failure_supported'] as const) : []),
      ...(mcpServers ? (['mcp_servers_applied'] as const) : []),
      ...(plugins ? (['plugins_applied'] as const) : []),
    ];
  }

  #hold(held: Promise<unknown>): void {
    this.held = held;
    held.then(
      () => {
        this.held = undefined;
      },
      // Every prompt rejects with the same reason.
      () => {},
    );
  }

  async #initialize(manifests?: object): Promise<SDKControlInitializeResponse> {
    const { options, hooks, servers } = this.#parts;
    const { initialize, dialogs, initializeTimeoutMs: timeoutMs = DEFAULT_INITIALIZE_TIMEOUT_MS } = options;
    const requestId = this.#wire.session.pending.createId();
    this.#current = { requestId, asked: new Set() };
    const request = {
      subtype: 'initialize',
      ...initialize,
      hooks: hooks.matchers,
      ...(manifests && { sdkMcpServers: servers.names, sdkMcpServerManifests: manifests }),
      ...(dialogs && { supportedDialogKinds: Object.keys(dialogs) }),
    };
    try {
      const answer = await this.#wire.ask<SDKControlInitializeResponse>(request, { requestId, timeoutMs });
      const missing = this.#required.filter((member) => answer[member] !== true);
      if (missing.length > 0) throw unconfirmed(missing, requestId);
      this.#wire.capabilities.initialized(answer);
      return answer;
    } catch (error) {
      if (!TransportError.is(error) || error.code !== 'timeout') throw error;
      this.#hasTimedOut = true;
      const { messages, malformed } = this.#wire.counters;
      const soFar = `${messages} messages and ${malformed} other lines arrived`;
      throw new TransportError('timeout', `${error.message}; ${soFar}`, { cause: error });
    }
  }
}

function unconfirmed(missing: readonly string[], requestId: string): ControlError {
  const text = `the agent did not confirm ${missing.join()}`;
  return new ControlError(text, { requestId, code: 'unsupported_capability' });
}
