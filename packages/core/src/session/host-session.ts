import type { WireMessage } from '../framing/parse-line.ts';
import type {
  PromptContent,
  SDKControlInitializeResponse,
  SDKControlInterruptResponse,
} from '../messages/message-types.ts';
import { TransportError } from '../transport/error.ts';
import type { Transport, TransportClose } from '../transport/transport.ts';
import { callBack } from './call-back.ts';
import { checkInterruptReceipt } from './control-checks.ts';
import { type ControlRequest, requestIdOf } from './control-frames.ts';
import { createHostHandlers } from './host/host-handlers.ts';
import {
  type HostCloseOptions,
  type HostSession,
  type HostSessionOptions,
  type InterruptReceipt,
} from './host/host-options.ts';
import { Handshake } from './host/handshake.ts';
import { registerHooks } from './host/hooks.ts';
import { mayEndInput } from './host/input-end.ts';
import { invalidMessage } from './host/invalid-message.ts';
import { MessageReader } from './host/message-reader.ts';
import { type InProcessMcpServers, McpServers } from './host/mcp-servers.ts';
import { createQuestions } from './host/questions.ts';
import { INITIAL_SESSION_STATE, type SessionEvent, trackSession } from './host/session-tracker.ts';
import { INITIAL_STREAM_REPORT, reportEnd, reportMessage, type StreamReport } from './host/stream-report.ts';
import { INITIAL_USAGE, trackUsage } from './host/usage.ts';
import { type HostLiveness, Watchdog, type WatchdogOptions } from './host/watchdog.ts';
import { within } from './host/within.ts';
import { isRecord } from './is-record.ts';
import type { RequestOptions, Settlement } from './pending-requests.ts';
import type { RequestHandler } from './request-handlers.ts';
import { createSession, type Session } from './session.ts';
import { schemaOf } from './schema-of.ts';
import type { SessionItem } from './unread.ts';
import { createUuids } from './uuids.ts';

/** Makes the host's side over a transport, and sends `initialize`. */
export function createHostSession(transport: Transport, options: HostSessionOptions = {}): HostSession {
  return new Host(transport, options);
}

const interruptReceipt = schemaOf(checkInterruptReceipt);

class Host implements HostSession {
  readonly transport: Transport;
  readonly initialized: Promise<SDKControlInitializeResponse>;
  readonly closed: Promise<TransportClose>;
  readonly counters = { messages: 0, malformed: 0, unawaitedAnswers: 0 };
  state = INITIAL_SESSION_STATE;
  usage = INITIAL_USAGE;
  readonly #options: HostSessionOptions;
  readonly #session: Session;
  readonly #reader: MessageReader;
  readonly #uuids = createUuids();
  readonly #hooks;
  readonly #handshake: Handshake;
  readonly #servers = new McpServers((name, message) =>
    this.#ask({ subtype: 'mcp_message', server_name: name, message }),
  );
  readonly #questions = createQuestions(() => this.#track({ questions: this.#questions.size }));
  readonly #over = new AbortController();
  readonly #watchdog: Watchdog | undefined;
  #lastMessageAt: number | undefined;
  #report = INITIAL_STREAM_REPORT;
  #promptsWaiting = 0;
  #arePromptsEnded = false;
  #inputEnd: Promise<void> | undefined;
  #onInputEnd: () => void = () => {};
  #isInputEnding = false;
  #isClosed = false;
  /** The ids of the requests being served. */
  readonly #serving = new Set<unknown>();
  /** Interrupts under way, and whether there was something to interrupt when their answer came. */
  readonly #interrupts = new Map<unknown, boolean>();

  constructor(transport: Transport, options: HostSessionOptions) {
    this.transport = transport;
    this.closed = transport.closed;
    this.#options = options;
    this.#hooks = registerHooks(options.hooks);
    this.#watchdog = options.watchdog && this.#createWatchdog(options.watchdog);
    const parts = { hooks: this.#hooks, servers: this.#servers.links, questions: this.#questions };
    this.#session = createSession(transport, {
      ...options,
      isNew: (request) => !this.#serving.has(requestIdOf(request)),
      handlers: this.#watched({ ...createHostHandlers({ ...options, ...parts }), ...options.handlers }),
      onItem: (item, line) => this.#arrived(item, line),
      onResponse: (response, settlement) => this.#answered(response, settlement),
      onEnd: (reason) => {
        this.#over.abort(reason);
        this.#watchdog?.watch(false);
        this.#onInputEnd();
      },
    });
    this.#reader = new MessageReader({
      items: this.#session[Symbol.asyncIterator](),
      onError: (error) => this.#judgeError(error),
      onEnd: () => this.#judgeEnd(),
      onLeave: () => {
        this.#isClosed = true;
      },
    });
    this.#servers.replace(options.mcpServers ?? {});
    this.#handshake = new Handshake({
      options,
      hooks: this.#hooks,
      servers: this.#servers,
      counters: this.counters,
      createId: this.#session.pending.createId,
      ask: (request, requestOptions) => this.#ask(request, requestOptions),
    });
    this.initialized = this.#handshake.start();
    this.initialized.catch(() => {});
  }

  get report(): StreamReport {
    return this.signal.aborted ? reportEnd(this.#report) : this.#report;
  }

  get liveness(): HostLiveness {
    return { lastByteAt: this.transport.liveness?.lastByteAt, lastMessageAt: this.#lastMessageAt };
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  async prompt(content: PromptContent, members: Readonly<Record<string, unknown>> = {}): Promise<string> {
    if (this.#arePromptsEnded) throw new TransportError('closed', 'prompt after endInput');
    const { uuid = this.#uuids.next() } = members as { readonly uuid?: string };
    this.#promptsWaiting++;
    try {
      if (this.#handshake.held !== undefined) await this.#handshake.held;
      const message = { role: 'user', content };
      const written = this.#session.emit({
        type: 'user',
        session_id: '',
        message,
        parent_tool_use_id: null,
        ...members,
        uuid,
      });
      this.#track({ prompt: uuid });
      await written.catch((error: unknown) => {
        this.#track({ unsent: uuid });
        throw error;
      });
      return uuid;
    } finally {
      this.#promptsWaiting--;
      this.#endInputIfDue();
    }
  }

  [Symbol.asyncIterator](): AsyncIterator<WireMessage, undefined> {
    return this.#reader.iterate();
  }

  untilResult(): AsyncIterableIterator<WireMessage> {
    return this.#reader.untilResult();
  }

  request(subtype: string, members: object = {}, options: RequestOptions = {}): Promise<never> {
    return this.#ask<never>({ subtype, ...members }, options);
  }

  async interrupt(options: RequestOptions & { readonly cancelQueued?: boolean } = {}): Promise<InterruptReceipt> {
    const { cancelQueued, ...rest } = options;
    // An agent that is not up yet takes it for nothing. One that refuses the handshake may still be running.
    await this.initialized.catch(() => {});
    const requestId = this.#session.pending.createId();
    this.#interrupts.set(requestId, false);
    try {
      const request = { subtype: 'interrupt', ...(cancelQueued && { cancel_queued: true }) };
      const receipt = await this.#ask<SDKControlInterruptResponse>(request, {
        schema: interruptReceipt,
        ...rest,
        requestId,
      });
      return { ...receipt, outcome: this.#interrupts.get(requestId) ? 'accepted' : 'nothing_running' };
    } finally {
      this.#interrupts.delete(requestId);
    }
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
    this.#arePromptsEnded = true;
    this.#inputEnd ??= new Promise((resolve) => {
      this.#onInputEnd = resolve;
    });
    if (this.signal.aborted) this.#onInputEnd();
    this.#endInputIfDue();
    return this.#inputEnd;
  }

  async close({ pending = 'reject', timeoutMs }: HostCloseOptions = {}): Promise<void> {
    if (pending === 'drain') await within(timeoutMs, this.endInput());
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

  /** An executable that ends its last turn with an error leaves with 1: the result has told it. */
  #judgeError(error: unknown): void {
    if (this.state.last?.result['is_error'] !== true || !TransportError.is(error) || error.status !== 1) throw error;
  }

  /** Throws where the agent has left prompts without a result, though nothing broke. */
  #judgeEnd(): void {
    const { prompts, results, last } = this.state;
    // An agent whose results name no prompts may have answered several with one.
    const isTold = results === 0 || last?.result['user_message_uuid'] !== undefined;
    const isLost = !this.#isClosed && prompts.length > 0 && isTold;
    // Nobody could answer any more; and an agent may keep its process when it has ended its output.
    void this.close();
    if (isLost) throw new TransportError('lost', `the agent ended, and ${prompts.length} prompts have no result`);
  }

  #ask<T>(request: ControlRequest, options: RequestOptions = {}): Promise<T> {
    const answer = this.#session.request<T>(request, options as RequestOptions<T>);
    const recheck = () => this.#endInputIfDue();
    answer.then(recheck, recheck);
    return answer;
  }

  #arrived(item: SessionItem, line?: string): void {
    const { onLink, onMalformed, onTranscriptMirror } = this.#options;
    if (item.kind === 'message') {
      const { message } = item;
      this.counters.messages++;
      this.#lastMessageAt = performance.now();
      this.usage = trackUsage(this.usage, message);
      this.#report = reportMessage(this.#report, message);
      this.#track({ message });
    }
    if (item.kind === 'malformed') this.counters.malformed++;
    this.#endInputIfDue();
    if (item.kind === 'link') onLink?.(item);
    else if (item.kind === 'malformed') onMalformed?.(item, invalidMessage(item, line));
    else if (item.message.type === 'transcript_mirror') onTranscriptMirror?.(item.message);
  }

  #answered({ response }: WireMessage, settlement: Settlement): void {
    if (settlement !== 'settled') this.counters.unawaitedAnswers++;
    if (!isRecord(response)) return;
    const { request_id: requestId } = response;
    // The receipt comes ahead of all the interruption causes, so there is still a turn if there was one.
    if (this.#interrupts.has(requestId)) this.#interrupts.set(requestId, this.state.session !== 'idle');
    for (const request of this.#handshake.openRequests(response)) {
      if (!this.#serving.has(request.request_id)) this.#session.serve(request);
    }
  }

  #track(event: SessionEvent): void {
    const state = trackSession(this.state, event);
    if (state === this.state) return;
    this.state = state;
    this.#watch();
    callBack(() => this.#options.onState?.(state));
  }

  /** Each handler as it is; while one is at work its request is known, and when it is done the input may end. */
  #watched(handlers: Readonly<Record<string, RequestHandler>>): Readonly<Record<string, RequestHandler>> {
    const watch =
      (handler: RequestHandler): RequestHandler =>
      async (request, context) => {
        const { requestId, signal } = context;
        const done = () => {
          this.#serving.delete(requestId);
          this.#watch();
          this.#endInputIfDue();
        };
        this.#handshake.asked(requestId);
        this.#serving.add(requestId);
        this.#watch();
        signal.addEventListener('abort', done);
        try {
          return await handler(request, context);
        } finally {
          done();
        }
      };
    return Object.fromEntries(Object.entries(handlers).map(([subtype, handler]) => [subtype, watch(handler)]));
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
    this.#watchdog?.watch(!this.signal.aborted && this.state.session === 'running' && this.#serving.size === 0);
  }

  /** Behind what came in together with what made it due: that may hold a request. */
  #endInputIfDue(): void {
    if (this.#inputEnd !== undefined) queueMicrotask(() => this.#endInputNow());
  }

  #endInputNow(): void {
    if (this.#isInputEnding) return;
    const { canUseTool, onElicitation, dialogs, handlers } = this.#options;
    this.#isInputEnding = mayEndInput({
      promptsEnded: this.#promptsWaiting === 0,
      openRequests: this.#session.pending.size + this.#serving.size,
      isIdle: this.state.session === 'idle',
      canBeAsked:
        this.#hooks.callbacks.size + this.#servers.links.size > 0 ||
        [canUseTool, onElicitation, dialogs, handlers].some((served) => served !== undefined),
      backgroundTasks: this.state.tasks.length,
    });
    if (this.#isInputEnding) this.#session.end().then(this.#onInputEnd, this.#onInputEnd);
  }
}
