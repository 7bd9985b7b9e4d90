import { ProtocolError } from '../errors.ts';
import type { WireMessage } from '../framing/parse-line.ts';
import { TransportError } from '../transport/error.ts';
import type { Incoming, IncomingMessage, Transport, TransportClose } from '../transport/transport.ts';
import { type ControlRequest, isControlRequest, isControlResponse, requestIdOf } from './control-frames.ts';
import { Gate } from './gate.ts';
import { createOutboundStream, type OutboundStream, type OutboundStreamOptions } from './outbound.ts';
import { createPendingRequests, type PendingRequests, type RequestOptions } from './pending-requests.ts';
import { createRequestHandlers, type RequestHandler, type RequestHandlers } from './request-handlers.ts';
import { type SessionItem, Unread } from './unread.ts';

/** Unread bytes above which the transport is paused, while nothing is waited for. */
export const DEFAULT_MAX_UNREAD_BYTES = 16 * 1024 * 1024;
/** Unread bytes above which the session ends, while it may not pause because something is waited for. */
export const DEFAULT_MAX_BUFFERED_BYTES = 256 * 1024 * 1024;

// How much of a line that is no message is shown.
const EXCERPT_LENGTH = 256;

export interface SessionOptions {
  /** Control requests this side serves, by subtype. */
  readonly handlers?: Readonly<Record<string, RequestHandler>>;
  /** An answer to a request this side never sent. */
  readonly onUnexpectedResponse?: (response: WireMessage) => void;
  readonly outbound?: OutboundStreamOptions;
  /** Default `DEFAULT_MAX_UNREAD_BYTES`. */
  readonly maxUnreadBytes?: number;
  /** Default `DEFAULT_MAX_BUFFERED_BYTES`. */
  readonly maxBufferedBytes?: number;
}

/** How one side speaks: what a handler or a turn is given, which must not end the session. */
export interface SessionWriter {
  /** Queues a message in order; fulfils when the queue has room. */
  emit(message: WireMessage): Promise<void>;
  /** Sends a control request and gives the payload of its answer. See `PendingRequests.request`. */
  request<T = unknown>(request: ControlRequest, options?: RequestOptions<T>): Promise<T>;
}

/**
 * Either side of the protocol over one transport. It always reads: control frames are served when they come, ahead of unread
 * messages and a cancel ahead of both; everything else waits for the application, which iterates the session once. Leaving that
 * loop closes the session. The iteration ends with the peer's output, and throws when the link broke.
 */
export interface Session extends SessionWriter, AsyncIterable<SessionItem>, AsyncDisposable {
  readonly transport: Transport;
  readonly outbound: OutboundStream;
  readonly pending: PendingRequests;
  /** The one reason why it ended; never rejects. */
  readonly closed: Promise<TransportClose>;
  /** Answers what is being served, writes what is queued, then says that no more will come. Receiving goes on. */
  end(): Promise<void>;
  /** Aborts what is being served, writes what is queued, then closes the transport. */
  close(): Promise<void>;
  /** Drops everything now. */
  abort(reason?: unknown): void;
}

export function createSession(transport: Transport, options: SessionOptions = {}): Session {
  return new TransportSession(transport, options);
}

class TransportSession implements Session {
  readonly transport: Transport;
  readonly outbound: OutboundStream;
  readonly pending: PendingRequests;
  readonly #options: SessionOptions;
  readonly #handlers: RequestHandlers;
  readonly #unread: Unread;
  readonly #room = new Gate();
  readonly #written: Promise<void>;
  #opened = false;
  #failure: Error | undefined;

  constructor(transport: Transport, options: SessionOptions) {
    this.transport = transport;
    this.#options = options;
    this.outbound = createOutboundStream(options.outbound);
    const send = (frame: WireMessage) => this.#enqueue(frame);
    this.pending = createPendingRequests({ send });
    this.#handlers = createRequestHandlers({ handlers: options.handlers ?? {}, send });
    this.#unread = new Unread({
      onCursor: (cursor) => transport.resumption?.acknowledge(cursor),
      onTake: () => this.#room.open(),
      onReturn: () => void this.close(),
    });
    transport.opened.then(
      () => {
        this.#opened = true;
      },
      () => {},
    );
    this.#written = this.outbound.pipeTo(transport).catch((error) => this.#cannotWrite(error));
    void this.#read();
  }

  get closed(): Promise<TransportClose> {
    return this.transport.closed;
  }

  emit(message: WireMessage): Promise<void> {
    return this.outbound.emit(message, this.#identify(message));
  }

  request<T>(request: ControlRequest, options?: RequestOptions<T>): Promise<T> {
    const answer = this.pending.request(request, options);
    // Something is waited for now, so a paused link is read again.
    this.#room.open();
    return answer;
  }

  async end(): Promise<void> {
    await this.#handlers.idle();
    this.outbound.done();
    await this.#written;
    if (this.#failure === undefined) await this.transport.end();
  }

  async close(): Promise<void> {
    this.#handlers.abort(new TransportError('closed', 'the session was closed'));
    this.outbound.done();
    // A transport that is still connecting drops what waits, so there is nothing to wait for.
    if (this.#opened) await this.#written;
    await this.transport.close();
  }

  abort(reason?: unknown): void {
    this.transport.abort(reason);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  [Symbol.asyncIterator](): AsyncIterator<SessionItem, undefined> {
    return this.#unread[Symbol.asyncIterator]();
  }

  #enqueue(frame: WireMessage): void {
    this.outbound.enqueue(frame, this.#identify(frame));
  }

  #identify({ uuid }: WireMessage): { readonly id?: string } {
    return this.transport.identifies && typeof uuid === 'string' ? { id: uuid } : {};
  }

  get #waits(): boolean {
    return this.pending.size > 0 || this.#handlers.running > 0;
  }

  async #read(): Promise<void> {
    const { maxUnreadBytes = DEFAULT_MAX_UNREAD_BYTES, maxBufferedBytes = DEFAULT_MAX_BUFFERED_BYTES } = this.#options;
    try {
      for await (const items of this.transport.incoming) {
        this.#accept(items);
        while (this.#unread.bytes > maxUnreadBytes && !this.#waits) await this.#room.wait();
        if (this.#unread.bytes > maxBufferedBytes) throw overflow(this.#unread.bytes, maxBufferedBytes);
      }
      this.#ended(undefined);
    } catch (error) {
      this.#ended(TransportError.from(error));
    }
  }

  /** Control frames now, the rest to the application; cancels before anything that came with them. */
  #accept(items: readonly Incoming[]): void {
    const withdrawn = this.#cancelled(items);
    for (const item of items) {
      if (item.kind !== 'message') this.#unread.push(item, 0, undefined);
      else if (withdrawn.has(item)) this.#unread.pass(item.cursor);
      else this.#dispatch(item);
    }
  }

  /** Serves the cancels among some items; gives the requests that came before them in the same batch and need not begin. */
  #cancelled(items: readonly Incoming[]): ReadonlySet<Incoming> {
    if (!items.some((item) => typeOf(item) === 'control_cancel_request')) return NONE;
    const withdrawn = new Set<Incoming>();
    const requests = new Map<unknown, Incoming>();
    for (const item of items) {
      const message = item.kind === 'message' ? item.read().message : undefined;
      if (message === undefined) continue;
      if (message.type === 'control_request') requests.set(requestIdOf(message), item);
      if (message.type !== 'control_cancel_request') continue;
      const request = requests.get(requestIdOf(message));
      if (request === undefined) this.#handlers.cancel(requestIdOf(message));
      else withdrawn.add(request);
    }
    return withdrawn;
  }

  #dispatch(item: IncomingMessage): void {
    const { message, error } = item.read();
    if (message === undefined) return this.#malformed(item, error);
    switch (message.type) {
      case 'control_request':
        if (!isControlRequest(message)) return this.#malformed(item, invalid('control_request', 'request'));
        this.#handlers.serve(message);
        break;
      case 'control_response':
        if (!isControlResponse(message)) return this.#malformed(item, invalid('control_response', 'response'));
        if (this.pending.settle(message) === 'unknown') this.#unexpected(message);
        break;
      case 'control_cancel_request':
      case 'keep_alive':
        break;
      default: {
        const { source, cursor } = item;
        const received: SessionItem =
          source === undefined ? { kind: 'message', message } : { kind: 'message', message, source };
        return this.#unread.push(received, item.text.length, cursor);
      }
    }
    this.#unread.pass(item.cursor);
  }

  #unexpected(response: WireMessage): void {
    try {
      this.#options.onUnexpectedResponse?.(response);
    } catch (error) {
      // Theirs to fix, and no reason to take the link down.
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  #malformed({ text, cursor }: IncomingMessage, error: TransportError | ProtocolError): void {
    const excerpt = text.slice(0, EXCERPT_LENGTH);
    this.#unread.push({ kind: 'malformed', error, excerpt }, excerpt.length, cursor);
  }

  #cannotWrite(error: unknown): void {
    this.#failure ??= TransportError.from(error);
    // What is not sent is not answered; what the peer still says is read to its end.
    this.pending.close(this.#failure);
  }

  /** Nothing more will come in. */
  #ended(error: TransportError | undefined): void {
    const reason = error ?? new TransportError('closed', 'the input ended before the response was received');
    if (error !== undefined) {
      this.#failure ??= error;
      this.#handlers.abort(error);
      this.outbound.error(error);
      this.transport.abort(error);
    }
    this.pending.close(reason);
    this.#unread.end(error);
  }
}

const NONE: ReadonlySet<Incoming> = new Set();

function typeOf(item: Incoming): string | undefined {
  return item.kind === 'message' ? item.read().message?.type : undefined;
}

function invalid(type: string, member: string): ProtocolError {
  const issues = [{ path: [member], message: 'must be an object' }];
  return new ProtocolError('invalid-message', `${type} without ${member}`, { issues });
}

function overflow(bytes: number, limit: number): TransportError {
  const text = `${bytes} unread bytes are above maxBufferedBytes (${limit}): read the session, or raise the limit`;
  return new TransportError('overflow', text);
}
