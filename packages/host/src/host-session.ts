import {
  type ControlRequest,
  createSession,
  type RequestOptions,
  type Session,
  type SessionItem,
  type Settlement,
} from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import {
  callBack,
  checkInterruptReceipt,
  isRecord,
  type PromptContent,
  requestIdOf,
  schemaOf,
  type SDKControlInitializeResponse,
  type SDKControlInterruptResponse,
} from '@proto/core/internal';
import {
  type IncomingNotice,
  isWatchable,
  type Transport,
  type TransportClose,
  TransportError,
} from '@proto/core/transport';
import { Capabilities } from './handshake/capabilities.ts';
import { Handshake } from './handshake/handshake.ts';
import { registerHooks } from './requests/hooks.ts';
import { createHostHandlers } from './requests/host-handlers.ts';
import { createHostInput, type HostInput, type HostInputState } from './prompts/host-input.ts';
import type {
  HostCloseOptions,
  HostSession,
  HostSessionOptions,
  InterruptOptions,
  InterruptReceipt,
} from './host-options.ts';
import { InvalidMessageError } from './errors.ts';
import { type InProcessMcpServers, McpServers } from './mcp/mcp-servers.ts';
import { isTranscriptMirror, MessageReader } from './messages/message-reader.ts';
import { watchDisconnects } from './requests/on-disconnect.ts';
import { PromptDeliveries, type SentPrompt } from './prompts/prompt-delivery.ts';
import { createQuestions } from './requests/questions.ts';
import { FollowedSession } from './state/session-follower.ts';
import { isSettled, type SessionEvent, type SessionState } from './state/session-tracker.ts';
import type { StreamReport } from './state/stream-report.ts';
import type { SessionUsage } from './state/usage.ts';
import { type Serving, watchRequests } from './requests/watch-requests.ts';
import { type HostLiveness, Watchdog, type WatchdogOptions } from './state/watchdog.ts';
import { within } from './within.ts';

/** Makes the host's side over a transport, and sends `initialize`. */
export function createHostSession(transport: Transport, options: HostSessionOptions = {}): HostSession {
  return new Host(transport, options);
}

class Host implements HostSession {
  readonly transport: Transport;
  readonly initialized: Promise<SDKControlInitializeResponse>;
  readonly closed: Promise<TransportClose>;
  readonly counters = { messages: 0, malformed: 0, unawaitedAnswers: 0 };
  readonly #options: HostSessionOptions;
  readonly #follower = new FollowedSession();
  readonly #session: Session;
  readonly #reader: MessageReader;
  readonly #hooks;
  readonly #handshake: Handshake;
  readonly #servers = new McpServers((name, message) =>
    this.#ask({ subtype: 'mcp_message', server_name: name, message }),
  );
  readonly #questions = createQuestions(() => this.#track({ questions: this.#questions.size }));
  readonly #deliveries = new PromptDeliveries((uuid, state) => callBack(() => this.#options.onPrompt?.(uuid, state)));
  readonly #over = new AbortController();
  readonly #linkChanged;
  readonly #watchdog: Watchdog | undefined;
  #lastMessageAt: number | undefined;
  readonly #capabilities = new Capabilities();
  #isClosed = false;
  #isUnanswered = false;
  readonly #serving: Serving = { ids: new Set(), isInCallback: false };
  readonly #input: HostInput;

  constructor(transport: Transport, options: HostSessionOptions) {
    this.transport = transport;
    this.closed = transport.closed;
    this.#options = options;
    this.#hooks = registerHooks(options.hooks);
    this.#linkChanged = watchDisconnects(options.onDisconnect ?? 'hold', () => this.#questions.giveUp(), this.signal);
    this.#watchdog = options.watchdog && this.#createWatchdog(options.watchdog);
    const parts = { hooks: this.#hooks, servers: this.#servers.links, questions: this.#questions };
    this.#session = createSession(transport, {
      ...options,
      isNew: (request) => !this.#serving.ids.has(requestIdOf(request)),
      handlers: watchRequests(
        { ...createHostHandlers({ ...options, ...parts }), ...options.handlers },
        this.#serving,
        (requestId) => {
          this.#handshake.asked(requestId);
          this.#watch();
        },
        () => {
          this.#watch();
          this.#input.check();
        },
      ),
      onItem: (item, line) => this.#arrived(item, line),
      onResponse: (response, settlement) => this.#answered(response, settlement),
      onEnd: (reason) => {
        this.#follower.end();
        this.#over.abort(reason);
        this.#watchdog?.watch(false);
      },
    });
    this.#reader = new MessageReader({
      items: this.#session[Symbol.asyncIterator](),
      onError: (error) => {
        if (!this.#follower.hasTold(error)) throw error;
      },
      onEnd: () => this.#judgeEnd(),
      onLeave: () => void (this.#isClosed = true),
    });
    this.#servers.replace(options.mcpServers ?? {});
    this.#handshake = new Handshake({
      options,
      hooks: this.#hooks,
      servers: this.#servers,
      counters: this.counters,
      createId: () => this.#session.pending.createId(),
      ask: (request, requestOptions) => this.#ask(request, requestOptions),
    });
    this.#input = createHostInput({
      session: this.#session,
      handshake: this.#handshake,
      signal: this.signal,
      track: (event) => this.#track(event),
      state: () => this.#inputState(),
      isOver: (uuid) => this.#follower.isOver(uuid),
      deliveries: this.#deliveries,
    });
    void this.closed.then(() => this.#deliveries.end(this.#follower.promptsLeft > 0 ? 'lost' : 'done'));
    this.initialized = options.hasInput === false ? this.#hear() : this.#handshake.start();
    this.initialized.then(
      (answer) => this.#capabilities.initialized(answer),
      (error: unknown) => {
        this.#isUnanswered = TransportError.is(error) && error.code === 'timeout';
        this.#input.check();
      },
    );
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
    return { lastByteAt, lastMessageAt: this.#lastMessageAt };
  }

  get capabilities(): ReadonlySet<string> | undefined {
    return this.#capabilities.all;
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  prompt(content: PromptContent, members: Readonly<Record<string, unknown>> = {}): SentPrompt {
    return this.#input.prompt(content, members);
  }

  [Symbol.asyncIterator]() {
    return this.#reader.iterate();
  }

  untilResult() {
    return this.#reader.untilResult();
  }

  request(subtype: string, members: object = {}, options: RequestOptions = {}): Promise<never> {
    return this.#ask<never>({ subtype, ...members }, options);
  }

  async interrupt({ cancelQueued, ...options }: InterruptOptions = {}): Promise<InterruptReceipt> {
    // An agent that is not up yet takes it for nothing. One that refuses the handshake may still be running.
    await this.initialized.catch(() => {});
    let outcome: InterruptReceipt['outcome'] = 'nothing_running';
    const schema = schemaOf((receipt) => {
      // Looked at when it comes, ahead of all that the interruption causes: there is still a turn if there was one.
      if (this.state.session !== 'idle') outcome = 'accepted';
      return checkInterruptReceipt(receipt);
    });
    const request = { subtype: 'interrupt', ...(cancelQueued && { cancel_queued: true }) };
    return { ...(await this.#ask<SDKControlInterruptResponse>(request, { ...options, schema })), outcome };
  }

  respond(requestId: unknown, answer: unknown): boolean {
    return this.#questions.respond(requestId, answer);
  }

  reinitialize(): Promise<SDKControlInitializeResponse> {
    return this.#handshake.start();
  }

  async setMcpServers(servers: InProcessMcpServers): Promise<unknown> {
    this.#servers.replace(servers);
    const configs = Object.fromEntries(Object.keys(servers).map((name) => [name, { type: 'sdk', name }]));
    return this.#ask({ subtype: 'mcp_set_servers', servers: configs });
  }

  endInput(): Promise<void> {
    const ended = this.#input.end();
    return this.#serving.isInCallback ? Promise.resolve() : ended;
  }

  async close({ pending = 'reject', timeoutMs }: HostCloseOptions = {}): Promise<void> {
    if (pending === 'drain') {
      const { isInCallback } = this.#serving;
      const drained = within(timeoutMs, this.#input.end());
      // Behind the answer of the callback.
      if (isInCallback) return void drained.then(() => this.close()).catch(() => {});
      await drained;
    }
    this.#isClosed = true;
    return this.#session.close();
  }

  abort(reason?: unknown): void {
    this.#isClosed = true;
    this.#session.abort(reason);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The agent has its prompt, and nothing else reaches it. */
  #hear(): Promise<never> {
    // Told to nobody: who listens does not have the session yet.
    this.#follower.track({ prompt: '' });
    this.#session.outbound.end();
    void this.#session.end();
    void this.endInput();
    return Promise.reject(new TransportError('closed', 'the agent reads no input'));
  }

  /** Throws where the agent has left prompts without a result, though nothing broke. */
  #judgeEnd(): void {
    const left = this.#isClosed ? 0 : this.#follower.promptsLeft;
    // Nobody could answer any more; and an agent may keep its process when it has ended its output.
    void this.close();
    if (left > 0) throw new TransportError('lost', `the agent ended, and ${left} prompts have no result`);
  }

  #ask<T>(request: ControlRequest, options: RequestOptions = {}): Promise<T> {
    const unsupported = this.#capabilities.lackedBy(request);
    if (unsupported !== undefined) return Promise.reject(unsupported);
    const answer = this.#session.request<T>(request, options as RequestOptions<T>);
    const recheck = () => this.#input.check();
    answer.then(recheck, recheck);
    return answer;
  }

  #arrived(item: SessionItem, line?: string): void {
    const { onLink, onMalformed, onTranscriptMirror } = this.#options;
    if (item.kind === 'message') {
      const { message } = item;
      this.counters.messages++;
      this.#lastMessageAt = performance.now();
      this.#capabilities.heard(message);
      this.#track({ message });
      this.#deliveries.heard(message, this.#follower.ended, this.state.last?.outcome === 'interrupted');
    }
    if (item.kind === 'malformed') this.counters.malformed++;
    if (item.kind === 'notice') this.#noticed(item);
    this.#input.check();
    if (item.kind === 'link') {
      this.#linkChanged(item.state);
      onLink?.(item);
    } else if (item.kind === 'malformed') onMalformed?.(item, new InvalidMessageError(item, line));
    else if (item.kind === 'message' && isTranscriptMirror(item.message)) onTranscriptMirror?.(item.message);
  }

  /** What the server of a remote session says of a prompt. Of requests the session knows itself. */
  #noticed({ event, data }: IncomingNotice): void {
    const { event_id: uuid, status } = isRecord(data) ? data : {};
    if (typeof uuid !== 'string') return;
    if (event === 'delivery_update') this.#deliveries.reported(uuid, String(status));
    if (event !== 'message_refused') return;
    // Nobody will do what it asked for.
    this.#track({ unsent: uuid });
    this.#deliveries.advance(uuid, 'cancelled');
  }

  #answered({ response }: WireMessage, settlement: Settlement): void {
    if (settlement !== 'settled') this.counters.unawaitedAnswers++;
    if (!isRecord(response)) return;
    for (const request of this.#handshake.openRequests(response)) {
      if (!this.#serving.ids.has(request.request_id)) this.#session.serve(request);
    }
  }

  #track(event: SessionEvent): void {
    const before = this.state;
    const state = this.#follower.track(event);
    if (state === before) return;
    this.#watch();
    callBack(() => this.#options.onState?.(state));
  }

  #createWatchdog(options: WatchdogOptions): Watchdog {
    return new Watchdog(options, {
      transport: this.transport,
      liveness: () => this.liveness,
      abort: (silentMs) => this.abort(new TransportError('timeout', `nothing came for ${Math.round(silentMs)} ms`)),
    });
  }

  /** It is the agent's turn while it works, and does not wait for this host. */
  #watch(): void {
    this.#watchdog?.watch(!this.signal.aborted && this.state.session === 'running' && this.#serving.ids.size === 0);
  }

  /** It has not answered `initialize` in its time and said nothing else: a program that reads to the end of its input before it begins. */
  #isMute(): boolean {
    const { canUseTool, onElicitation, dialogs, handlers } = this.#options;
    const isServing = [canUseTool, onElicitation, dialogs, handlers].some((served) => served !== undefined);
    // One that could ask something has all the time it wants: it may be a worker that is not there yet.
    if (isServing || this.#hooks.callbacks.size + this.#servers.links.size > 0) return false;
    return this.#isUnanswered && this.counters.messages === 0;
  }

  #inputState(): HostInputState {
    return {
      openRequests: this.#session.pending.size + this.#serving.ids.size,
      isIdle: this.state.session === 'idle' || this.#isMute(),
      isSettled: isSettled(this.state),
      backgroundTasks: this.state.tasks.length,
    };
  }
}
