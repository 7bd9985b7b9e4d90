import {
  type AnswerContext,
  type ControlRequest,
  createSession,
  type RequestHandler,
  type RequestOptions,
  type Session,
  type SessionItem,
  type SessionOptions,
  type Settlement,
} from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import { requestIdOf } from '@proto/core/internal';
import type { Transport } from '@proto/core/transport';
import { Capabilities } from './handshake/capabilities.ts';

export interface HostWireOptions extends Omit<SessionOptions, 'handlers' | 'onEnd'> {
  readonly onItem: (item: SessionItem, line?: string) => void;
  readonly onResponse: (response: WireMessage, settlement: Settlement) => void;
  /** Called when the agent has sent a request, before its handler runs. */
  readonly onServe: (requestId: unknown) => void;
  /** Called when a handler begins to serve a request, and when a request of either side has been answered. */
  readonly onChange: () => void;
  /** Called when no more messages can arrive. */
  readonly onEnd: () => void;
}

/** The features of a host use this connection to send messages and requests, and to serve the agent's requests. */
export class HostWire {
  readonly session: Session;
  readonly capabilities = new Capabilities();
  readonly counters = { messages: 0, malformed: 0, unawaitedAnswers: 0 };
  /** On the clock of `performance.now()`. */
  lastMessageAt: number | undefined;
  /** Whether the program itself closed or aborted the session, or left the loop over its messages. */
  isLeft = false;
  readonly #options: HostWireOptions;
  readonly #handlers: Record<string, RequestHandler> = {};
  readonly #served = new Set<unknown>();
  #isInCallback = false;
  #over: AbortController | undefined;
  #end: { readonly reason: unknown } | undefined;

  constructor(transport: Transport, options: HostWireOptions) {
    this.#options = options;
    this.session = createSession(transport, {
      ...options,
      handlers: this.#handlers,
      shouldServe: (request) => !this.isServing(requestIdOf(request)),
      onEnd: (reason) => this.#finish(reason),
    });
  }

  /** Aborts when no more messages can arrive. The abort reason explains why. */
  get signal(): AbortSignal {
    this.#over ??= new AbortController();
    if (this.#end !== undefined) this.#over.abort(this.#end.reason);
    return this.#over.signal;
  }

  get isOver(): boolean {
    return this.#end !== undefined;
  }

  /** A later handler for the same subtype replaces an earlier one. */
  serve(handlers: Readonly<Record<string, RequestHandler>>): void {
    for (const [subtype, handler] of Object.entries(handlers)) {
      this.#handlers[subtype] = (request, context) => this.#serve(handler, request, context);
    }
  }

  /** Rejects at once if the request needs a capability that the agent does not report. */
  ask<T>(request: ControlRequest, options: RequestOptions = {}): Promise<T> {
    const unsupported = this.capabilities.lackedBy(request);
    if (unsupported !== undefined) return Promise.reject(unsupported);
    const answer = this.session.request<T>(request, options as RequestOptions<T>);
    const settled = () => this.#options.onChange();
    answer.then(settled, settled);
    return answer;
  }

  get serving(): number {
    return this.#served.size;
  }

  get openRequests(): number {
    return this.session.pending.size + this.#served.size;
  }

  isServing(requestId: unknown): boolean {
    return this.#served.has(requestId);
  }

  /** True while a callback runs up to its first `await`. A callback must not wait for all callbacks, because it would wait for itself. */
  get isInCallback(): boolean {
    return this.#isInCallback;
  }

  close(): Promise<void> {
    this.isLeft = true;
    return this.session.close();
  }

  abort(reason: unknown): void {
    this.isLeft = true;
    this.session.abort(reason);
  }

  #finish(reason: unknown): void {
    // A session may report a second reason. Only the first reason is the cause.
    if (this.isOver) return;
    this.#end = { reason };
    this.#over?.abort(reason);
    this.#options.onEnd();
  }

  async #serve(handler: RequestHandler, request: ControlRequest, context: AnswerContext): Promise<unknown> {
    const { requestId, signal } = context;
    let isOver = false;
    const done = () => {
      // When the handler of a cancelled request returns, another request may have the same id.
      if (isOver) return;
      isOver = true;
      this.#served.delete(requestId);
      this.#options.onChange();
    };
    this.#served.add(requestId);
    this.#options.onServe(requestId);
    this.#options.onChange();
    signal.addEventListener('abort', done);
    try {
      return await this.#call(() => handler(request, context));
    } finally {
      done();
    }
  }

  #call(back: () => unknown): unknown {
    const outer = this.#isInCallback;
    this.#isInCallback = true;
    try {
      return back();
    } finally {
      this.#isInCallback = outer;
    }
  }
}
