import { ControlError, type ControlRequest, type RequestOptions } from '@proto/core';
import {
  checkControlRequest,
  type ControlRequestFrame,
  requestIdOf,
  type SDKControlInitializeResponse,
} from '@proto/core/internal';
import { TransportError } from '@proto/core/transport';
import type { RegisteredHooks } from '../requests/hooks.ts';
import type { HostCounters, HostSessionOptions } from '../host-options.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';

const DEFAULT_INITIALIZE_TIMEOUT_MS = 60_000;
const PENDING_LISTS = ['pending_permission_requests', 'pending_user_dialog_requests', 'pending_elicitation_requests'];

/** What is told at the start, and how. */
export interface HandshakeOptions {
  readonly options: HostSessionOptions;
  readonly hooks: RegisteredHooks;
  readonly servers: McpServers;
  readonly counters: HostCounters;
  readonly createId: () => string;
  readonly ask: (request: ControlRequest, options: RequestOptions) => Promise<SDKControlInitializeResponse>;
}

/** The `initialize` request, its answer, and what waits for either. It can be made again. */
export class Handshake {
  readonly #parts: HandshakeOptions;
  /** Members of the answer without which what was asked for is not so. */
  readonly #required: readonly (keyof SDKControlInitializeResponse)[];
  /** The id of the one under way, and those of what was asked since it went out. */
  #current: { readonly requestId: string; readonly asked: Set<unknown> } | undefined;
  /** What prompts wait for: that it is written, and where it asks for what not every agent has, that this one confirms it. */
  held: Promise<unknown> | undefined;

  constructor(parts: HandshakeOptions) {
    this.#parts = parts;
    const { mcpServers, plugins } = parts.options.initialize ?? {};
    this.#required = [
      ...(parts.hooks.mustBlock ? (['hook_on_failure_supported'] as const) : []),
      ...(mcpServers ? (['mcp_servers_applied'] as const) : []),
      ...(plugins ? (['plugins_applied'] as const) : []),
    ];
  }

  start(): Promise<SDKControlInitializeResponse> {
    const { servers } = this.#parts;
    const written =
      servers.links.size === 0
        ? { answer: this.#initialize() }
        : servers.manifests().then((manifests) => ({ answer: this.#initialize(manifests) }));
    const answer = Promise.resolve(written).then((sent) => sent.answer);
    const held = this.#required.length > 0 ? answer : written;
    if (held instanceof Promise) this.#hold(held);
    return answer;
  }

  /** A request of the agent came in. */
  asked(requestId: unknown): void {
    this.#current?.asked.add(requestId);
  }

  /** What the agent had asked before, as the answer lists it; nothing in other answers. What came live is left out. */
  openRequests(response: Readonly<Record<string, unknown>>): readonly ControlRequestFrame[] {
    if (this.#current === undefined || requestIdOf(response) !== this.#current.requestId) return [];
    const { asked } = this.#current;
    this.#current = undefined;
    const frames = PENDING_LISTS.flatMap((list) => response[list] ?? []);
    return frames
      .flatMap((frame) => checkControlRequest(frame).value ?? [])
      .filter((frame) => !asked.has(frame.request_id));
  }

  #hold(held: Promise<unknown>): void {
    this.held = held;
    held.then(
      () => {
        this.held = undefined;
      },
      // Every prompt rejects with it.
      () => {},
    );
  }

  async #initialize(manifests?: object): Promise<SDKControlInitializeResponse> {
    const { options, hooks, servers, counters, createId, ask } = this.#parts;
    const { initialize, dialogs, initializeTimeoutMs: timeoutMs = DEFAULT_INITIALIZE_TIMEOUT_MS } = options;
    const requestId = createId();
    this.#current = { requestId, asked: new Set() };
    const request = {
      subtype: 'initialize',
      ...initialize,
      hooks: hooks.matchers,
      ...(manifests && { sdkMcpServers: [...servers.links.keys()], sdkMcpServerManifests: manifests }),
      ...(dialogs && { supportedDialogKinds: Object.keys(dialogs) }),
    };
    try {
      const answer = await ask(request, { requestId, timeoutMs });
      const missing = this.#required.filter((member) => answer[member] !== true);
      if (missing.length === 0) return answer;
      const text = `the agent does not confirm ${missing.join()}`;
      throw new ControlError(text, { requestId, code: 'unsupported_capability' });
    } catch (error) {
      if (!TransportError.is(error) || error.code !== 'timeout') throw error;
      const soFar = `${counters.messages} messages and ${counters.malformed} other lines came`;
      throw new TransportError('timeout', `${error.message}; ${soFar}`, { cause: error });
    }
  }
}
