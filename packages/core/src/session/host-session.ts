import { ControlError } from '../errors.ts';
import type { WireMessage } from '../framing/parse-line.ts';
import type {
  PromptContent,
  SDKControlInitializeResponse,
  SDKControlInterruptResponse,
} from '../messages/message-types.ts';
import { TransportError } from '../transport/error.ts';
import type { Transport, TransportClose } from '../transport/transport.ts';
import { callBack } from './call-back.ts';
import { checkControlRequest, checkInterruptReceipt } from './control-checks.ts';
import { type ControlRequest, requestIdOf } from './control-frames.ts';
import { createHostHandlers } from './host/host-handlers.ts';
import {
  DEFAULT_INITIALIZE_TIMEOUT_MS,
  type HostCloseOptions,
  type HostSession,
  type HostSessionOptions,
  type InterruptReceipt,
} from './host/host-options.ts';
import { registerHooks } from './host/hooks.ts';
import { mayEndInput } from './host/input-end.ts';
import { type InProcessMcpServers, McpServers } from './host/mcp-servers.ts';
import { createQuestions } from './host/questions.ts';
import { INITIAL_SESSION_STATE, type SessionEvent, trackSession } from './host/session-tracker.ts';
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

const DONE = { done: true, value: undefined } as const;
const PENDING_LISTS = ['pending_permission_requests', 'pending_user_dialog_requests', 'pending_elicitation_requests'];
const interruptReceipt = schemaOf(checkInterruptReceipt);

class Host implements HostSession {
  readonly transport: Transport;
  readonly initialized: Promise<SDKControlInitializeResponse>;
  readonly closed: Promise<TransportClose>;
  readonly counters = { messages: 0, malformed: 0, unawaitedAnswers: 0 };
  state = INITIAL_SESSION_STATE;
  readonly #options: HostSessionOptions;
  readonly #session: Session;
  readonly #items: AsyncIterator<SessionItem, undefined>;
  readonly #uuids = createUuids();
  readonly #hooks;
  readonly #servers = new McpServers((name, message) =>
    this.#ask({ subtype: 'mcp_message', server_name: name, message }),
  );
  readonly #questions = createQuestions(() => this.#track({ questions: this.#questions.size }));
  readonly #over = new AbortController();
  /** What prompts wait for. */
  #held: Promise<unknown> | undefined;
  #promptsWaiting = 0;
  #arePromptsEnded = false;
  #inputEnd: Promise<void> | undefined;
  #onInputEnd: () => void = () => {};
  #isInputEnding = false;
  #isIterated = false;
  #isClosed = false;
  /** The ids of the requests being served. */
  readonly #serving = new Set<unknown>();
  /** Interrupts under way, and whether there was something to interrupt when their answer came. */
  readonly #interrupts = new Map<unknown, boolean>();
  /** The ids of an `initialize` under way, and of what was asked since it went out. */
  #initializing: { readonly requestId: string; readonly asked: Set<unknown> } | undefined;

  constructor(transport: Transport, options: HostSessionOptions) {
    this.transport = transport;
    this.closed = transport.closed;
    this.#options = options;
    this.#hooks = registerHooks(options.hooks);
    const parts = { hooks: this.#hooks, servers: this.#servers.links, questions: this.#questions };
    this.#session = createSession(transport, {
      ...options,
      isNew: (request) => !this.#serving.has(requestIdOf(request)),
      handlers: this.#watched({ ...createHostHandlers({ ...options, ...parts }), ...options.handlers }),
      onItem: (item) => this.#arrived(item),
      onResponse: (response, settlement) => this.#answered(response, settlement),
      onEnd: (reason) => {
        this.#over.abort(reason);
        this.#onInputEnd();
      },
    });
    this.#items = this.#session[Symbol.asyncIterator]();
    this.#servers.replace(options.mcpServers ?? {});
    this.initialized = this.#start();
    this.initialized.catch(() => {});
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  async prompt(content: PromptContent, members: Readonly<Record<string, unknown>> = {}): Promise<string> {
    if (this.#arePromptsEnded) throw new TransportError('closed', 'prompt after endInput');
    const { uuid = this.#uuids.next() } = members as { readonly uuid?: string };
    this.#promptsWaiting++;
    try {
      if (this.#held !== undefined) await this.#held;
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
      await written;
      return uuid;
    } finally {
      this.#promptsWaiting--;
      this.#endInputIfDue();
    }
  }

  [Symbol.asyncIterator](): AsyncIterator<WireMessage, undefined> {
    if (this.#isIterated) throw new TypeError('a session can only be iterated once');
    this.#isIterated = true;
    return {
      next: () => this.#next(),
      return: async () => {
        this.#isClosed = true;
        await this.#items.return?.();
        return DONE;
      },
    };
  }

  untilResult(): AsyncIterableIterator<WireMessage> {
    let isOver = false;
    const iterator: AsyncIterableIterator<WireMessage> = {
      next: async () => {
        if (isOver) return DONE;
        const next = await this.#next();
        isOver = next.done === true || next.value.type === 'result';
        return next;
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return iterator;
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
    return this.#start();
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
    if (pending === 'drain') {
      await within(timeoutMs, this.endInput());
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

  async #next(): Promise<IteratorResult<WireMessage, undefined>> {
    for (;;) {
      const { value: item, done } = await this.#items.next().catch((error: unknown) => {
        // An executable that ends its last turn with an error leaves with 1: the result has told it.
        if (this.state.last?.result['is_error'] === true && TransportError.is(error) && error.status === 1) return DONE;
        throw error;
      });
      if (done) {
        this.#judgeEnd();
        return DONE;
      }
      if (item.kind === 'message' && !isForHost(item.message)) return { done: false, value: item.message };
    }
  }

  /** Throws where the agent has left prompts without a result, though nothing broke. */
  #judgeEnd(): void {
    const { prompts, results, last } = this.state;
    // An agent whose results name no prompts may have answered several with one.
    const isTold = results === 0 || last?.result['user_message_uuid'] !== undefined;
    if (this.#isClosed || prompts.length === 0 || !isTold) return;
    throw new TransportError('lost', `the agent ended, and ${prompts.length} prompts have no result`);
  }

  /** Prompts wait until `initialize` is written, and where a hook must block until the agent has said that it can. */
  #start(): Promise<SDKControlInitializeResponse> {
    const isEmpty = this.#servers.links.size === 0;
    const written = isEmpty
      ? { answer: this.#initialize() }
      : this.#servers.manifests().then((manifests) => ({ answer: this.#initialize(manifests) }));
    const initialized = Promise.resolve(written).then(({ answer }) => answer);
    const held = this.#hooks.mustBlock ? initialized : written;
    if (held instanceof Promise) this.#hold(held);
    return initialized;
  }

  #hold(held: Promise<unknown>): void {
    this.#held = held;
    held.then(
      () => {
        this.#held = undefined;
      },
      () => {},
    );
  }

  async #initialize(manifests?: object): Promise<SDKControlInitializeResponse> {
    const { initialize, dialogs, initializeTimeoutMs: timeoutMs = DEFAULT_INITIALIZE_TIMEOUT_MS } = this.#options;
    const { matchers: hooks, mustBlock } = this.#hooks;
    const requestId = this.#session.pending.createId();
    this.#initializing = { requestId, asked: new Set() };
    const request = {
      subtype: 'initialize',
      ...initialize,
      hooks,
      ...(manifests && { sdkMcpServers: [...this.#servers.links.keys()], sdkMcpServerManifests: manifests }),
      ...(dialogs && { supportedDialogKinds: Object.keys(dialogs) }),
    };
    try {
      const answer = await this.#ask<SDKControlInitializeResponse>(request, { requestId, timeoutMs });
      if (!mustBlock || answer.hook_on_failure_supported === true) return answer;
      throw new ControlError('the agent cannot refuse an action when a hook fails', {
        subtype: 'initialize',
        requestId,
      });
    } catch (error) {
      if (!TransportError.is(error) || error.code !== 'timeout') throw error;
      const { messages, malformed } = this.counters;
      const soFar = `${messages} messages and ${malformed} other lines came`;
      throw new TransportError('timeout', `${error.message}; ${soFar}`, { cause: error });
    }
  }

  #ask<T>(request: ControlRequest, options: RequestOptions = {}): Promise<T> {
    const answer = this.#session.request<T>(request, options as RequestOptions<T>);
    const recheck = () => this.#endInputIfDue();
    answer.then(recheck, recheck);
    return answer;
  }

  #arrived(item: SessionItem): void {
    const { onLink, onMalformed, onTranscriptMirror } = this.#options;
    if (item.kind === 'message') {
      this.counters.messages++;
      this.#track({ message: item.message });
    }
    if (item.kind === 'malformed') this.counters.malformed++;
    this.#endInputIfDue();
    if (item.kind === 'link') onLink?.(item);
    else if (item.kind === 'malformed') onMalformed?.(item);
    else if (item.message.type === 'transcript_mirror') onTranscriptMirror?.(item.message);
  }

  #answered({ response }: WireMessage, settlement: Settlement): void {
    if (settlement !== 'settled') this.counters.unawaitedAnswers++;
    if (!isRecord(response)) return;
    const { request_id: requestId } = response;
    // The receipt comes ahead of all the interruption causes, so there is still a turn if there was one.
    if (this.#interrupts.has(requestId)) this.#interrupts.set(requestId, this.state.session !== 'idle');
    if (this.#initializing?.requestId !== requestId) return;
    const { asked } = this.#initializing as { asked: Set<unknown> };
    this.#initializing = undefined;
    for (const frame of PENDING_LISTS.flatMap((list) => response[list] ?? [])) {
      const { value } = checkControlRequest(frame);
      if (value !== undefined && !asked.has(value.request_id)) this.#session.serve(value);
    }
  }

  #track(event: SessionEvent): void {
    const state = trackSession(this.state, event);
    if (state === this.state) return;
    this.state = state;
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
          this.#endInputIfDue();
        };
        this.#initializing?.asked.add(requestId);
        this.#serving.add(requestId);
        signal.addEventListener('abort', done);
        try {
          return await handler(request, context);
        } finally {
          done();
        }
      };
    return Object.fromEntries(Object.entries(handlers).map(([subtype, handler]) => [subtype, watch(handler)]));
  }

  #endInputIfDue(): void {
    if (this.#isInputEnding || this.#inputEnd === undefined) return;
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

/** What the agent writes for the program that hosts it, and not for the conversation. */
function isForHost({ type, sdk_host_only: hostOnly }: WireMessage): boolean {
  return type === 'transcript_mirror' || hostOnly === true;
}
