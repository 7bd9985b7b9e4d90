import type { RequestOptions } from '@proto/core';
import { callBack, checkDurations, textError, within } from '@proto/core/internal';
import type { PromptContent, SDKControlInitializeResponse } from '@proto/core/messages';
import { isWatchable, type Transport, type TransportClose, TransportError } from '@proto/core/transport';
import { Handshake } from './handshake/handshake.ts';
import { RegisteredHooks } from './hooks/hooks.ts';
import type { HostCloseOptions, HostCounters, HostSession, HostSessionOptions } from './host-options.ts';
import { HostWire } from './host-wire.ts';
import { type InProcessMcpServers, McpServers } from './mcp/mcp-servers.ts';
import { Arrivals } from './messages/arrivals.ts';
import { MessageReader } from './messages/message-reader.ts';
import { Permissions } from './permissions/permissions.ts';
import { HostInput } from './prompts/host-input.ts';
import { type InterruptOptions, type InterruptReceipt, interruptTurn } from './prompts/interrupt.ts';
import { PromptDeliveries, type SentPrompt } from './prompts/prompt-delivery.ts';
import { OpenQuestions } from './questions/open-questions.ts';
import { installUserQuestions } from './questions/user-questions.ts';
import { FollowedSession } from './state/session-follower.ts';
import type { SessionState } from './state/session-tracker.ts';
import type { StreamReport } from './state/stream-report.ts';
import type { SessionUsage } from './state/usage.ts';
import { type HostLiveness, Watchdog } from './state/watchdog.ts';

/**
 * Creates the host's side of a session over a transport, and sends `initialize`.
 *
 * @example
 * ```ts
 * import { createHostSession } from '@proto/host';
 * import { webSocket } from '@proto/transport-websocket';
 *
 * const session = createHostSession(webSocket('wss://agents.example/v1/code/sessions/cse_1'), {
 *   canUseTool: ({ tool_name }) => (tool_name === 'Read' ? { behavior: 'allow' } : { behavior: 'deny', message: 'read only' }),
 * });
 * await session.prompt('Run the tests').accepted;
 * ```
 */
export function createHostSession(transport: Transport, options: HostSessionOptions = {}): HostSession {
  return openSession(transport, options);
}

/** A session that also shows whether the program itself has left it. */
export interface OpenedSession extends HostSession {
  /** Whether the program has closed or aborted the session, or has left the loop over its messages. */
  readonly isLeft: boolean;
}

/** Like `createHostSession`, for callers that need to know whether the program has left the session. */
export function openSession(transport: Transport, options: HostSessionOptions): OpenedSession {
  checkDurations(options);
  return new Host(transport, options);
}

class Host implements OpenedSession {
  readonly transport: Transport;
  readonly closed: Promise<TransportClose>;
  readonly counters: Readonly<HostCounters>;
  readonly initialized: Promise<SDKControlInitializeResponse>;
  readonly #options: HostSessionOptions;
  readonly #wire: HostWire;
  readonly #follower = new FollowedSession();
  readonly #questions: OpenQuestions;
  readonly #permissions: Permissions;
  readonly #servers: McpServers;
  readonly #handshake: Handshake;
  readonly #input: HostInput;
  readonly #arrivals: Arrivals;
  readonly #watchdog: Watchdog | undefined;
  #reader: MessageReader | undefined;

  constructor(transport: Transport, options: HostSessionOptions) {
    this.transport = transport;
    this.closed = transport.closed;
    this.#options = options;
    const wire = (this.#wire = new HostWire(transport, {
      ...options,
      ...options.limits,
      onItem: (item, line) => this.#arrivals.accept(item, line),
      onResponse: (response, settlement) => this.#arrivals.acceptResponse(response, settlement),
      onServe: (requestId) => this.#handshake.asked(requestId),
      onChange: () => this.#requestsChanged(),
      onEnd: () => this.#ended(),
    }));
    this.counters = wire.counters;
    // Each feature serves its own requests, and uses only features above it.
    const follower = this.#follower;
    const questions = (this.#questions = new OpenQuestions((open) => follower.track({ questions: open })));
    const permissions = (this.#permissions = new Permissions(wire, questions, options));
    installUserQuestions(wire, questions, options);
    const hooks = new RegisteredHooks(wire, options.hooks);
    const servers = (this.#servers = new McpServers(wire, options.mcpServers));
    const handshake = (this.#handshake = new Handshake(wire, { options, hooks, servers }));
    const deliveries = new PromptDeliveries(options);
    const input = (this.#input = new HostInput(wire, { handshake, follower, deliveries }));
    this.#arrivals = new Arrivals(wire, { options, follower, permissions, handshake, deliveries, input });
    this.#watchdog = options.watchdog && new Watchdog(options.watchdog, this);
    wire.serve(options.handlers ?? {});
    void this.closed.then(() => deliveries.end(follower.promptsLeft > 0 ? 'lost' : 'done'));
    this.initialized = options.oneShot === true ? this.#listen() : handshake.start();
    this.initialized.catch(() => {});
    follower.onChange = (state) => this.#reportState(state);
  }

  get state(): SessionState {
    return this.#follower.state;
  }

  get report(): StreamReport {
    return this.#follower.report;
  }

  get usage(): SessionUsage {
    return this.#follower.usage;
  }

  get liveness(): HostLiveness {
    const lastByteAt = isWatchable(this.transport) ? this.transport.liveness.lastByteAt : undefined;
    return { lastByteAt, lastMessageAt: this.#wire.lastMessageAt };
  }

  get capabilities(): ReadonlySet<string> | undefined {
    return this.#wire.capabilities.all;
  }

  get isLeft(): boolean {
    return this.#wire.isLeft;
  }

  get signal(): AbortSignal {
    return this.#wire.signal;
  }

  prompt(content: PromptContent, members: Readonly<Record<string, unknown>> = {}): SentPrompt {
    return this.#input.prompt(content, members);
  }

  [Symbol.asyncIterator]() {
    return this.#messages.iterate();
  }

  untilResult() {
    return this.#messages.untilResult();
  }

  request(subtype: string, members: object = {}, options: RequestOptions = {}): Promise<never> {
    const wrong = textError(subtype, 'the subtype', "request('get_context_usage', { ...members }, options)");
    if (wrong !== undefined) return Promise.reject(wrong);
    return this.#wire.ask<never>({ subtype, ...members }, options);
  }

  async interrupt(options: InterruptOptions = {}): Promise<InterruptReceipt> {
    // An agent that has not started yet would ignore an interrupt. An agent that refuses the handshake may still be running.
    await this.initialized.catch(() => {});
    return interruptTurn(this.#wire, this.#follower, options);
  }

  respond(requestId: unknown, answer: unknown): boolean {
    return this.#questions.respond(requestId, answer);
  }

  reinitialize(): Promise<SDKControlInitializeResponse> {
    return this.#handshake.start();
  }

  setMcpServers(servers: InProcessMcpServers): Promise<unknown> {
    return this.#servers.replace(servers);
  }

  endInput(): Promise<void> {
    const ended = this.#input.end();
    return this.#wire.isInCallback ? Promise.resolve() : ended;
  }

  async close({ pending = 'reject', timeoutMs }: HostCloseOptions = {}): Promise<void> {
    checkDurations({ timeoutMs });
    if (pending === 'drain') {
      const { isInCallback } = this.#wire;
      const drained = within(timeoutMs, this.#input.end());
      // If a callback calls `close`, the session is closed after the callback has answered.
      if (isInCallback) return void drained.then(() => this.close()).catch(() => {});
      await drained;
    }
    return this.#wire.close();
  }

  abort(reason?: unknown): void {
    this.#wire.abort(reason);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #messages(): MessageReader {
    this.#reader ??= new MessageReader(this.#wire, this.#follower);
    return this.#reader;
  }

  /** The agent received its prompt when it was started and does not read its input, so the input ends at once. */
  #listen(): Promise<never> {
    const { session } = this.#wire;
    this.#follower.track({ prompt: '' });
    session.outbound.end();
    void session.end();
    void this.endInput();
    return Promise.reject(new TransportError('closed', 'the agent reads no input'));
  }

  #requestsChanged(): void {
    this.#updateWatchdog();
    this.#input.check();
  }

  #reportState(state: SessionState): void {
    this.#updateWatchdog();
    callBack(() => this.#options.onState?.(state));
  }

  #updateWatchdog(): void {
    const { isOver, serving } = this.#wire;
    this.#watchdog?.watch(!isOver && serving === 0 && this.state.session === 'running');
  }

  #ended(): void {
    this.#follower.end();
    this.#permissions.end();
    this.#input.abort();
    this.#updateWatchdog();
  }
}
