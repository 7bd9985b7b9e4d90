import { encodeText, type WireMessage } from '../framing/json-line.ts';
import { callBack, onAbort } from '../transport/async/callbacks.ts';
import { TransportError, toTransportError } from '../transport/error.ts';
import { isResumable } from '../transport/transport-extensions.ts';
import type { Transport, TransportClose } from '../transport/transport.ts';
import type { ControlRequest, ControlRequestFrame } from './control-frames.ts';
import { Inbound } from './inbound.ts';
import { Notices } from './notices.ts';
import { createOutboundStream } from './outbound-queue.ts';
import { DEFAULT_HIGH_WATER_MARK_BYTES, type EnqueueOptions, type OutboundStream } from './outbound-stream.ts';
import type { RequestOptions } from './pending-request.ts';
import { createPendingRequests, type PendingRequests } from './pending-requests.ts';
import { createRequestHandlers, type RequestHandlers } from './request-handlers.ts';
import type { Session, SessionOptions } from './session-options.ts';
import { type SessionItem, Unread, type UnreadEvents } from './unread.ts';
import { Uuids } from '../transport/lines/uuids.ts';
import { Waiters } from '../transport/async/deferred.ts';

const DEFAULT_PAUSE_ABOVE_BYTES = 16 * 1024 * 1024;
const DEFAULT_FAIL_ABOVE_BYTES = 256 * 1024 * 1024;

const PLAIN: EnqueueOptions = {};
const NO_HANDLERS = {};

/**
 * Creates one side of the protocol over a transport. The session reads from the transport at once.
 *
 * @example
 * ```ts
 * import { createSession } from '@proto/core';
 * import { createMemoryPair } from '@proto/core/transport';
 *
 * const pair = createMemoryPair();
 * const agent = createSession(pair.agent, { handlers: { ping: () => ({ pong: true }) } });
 * const host = createSession(pair.host);
 * console.log(await host.request({ subtype: 'ping' })); // { pong: true }
 * await Promise.all([host.close(), agent.close()]);
 * ```
 */
export function createSession(transport: Transport, options: SessionOptions = {}): Session {
  return new TransportSession(transport, options);
}

class TransportSession implements Session {
  static readonly #unreadEvents: UnreadEvents<TransportSession> = {
    onCursor({ transport }, cursor) {
      if (isResumable(transport)) transport.resumption.acknowledge(cursor);
    },
    onTake: (session) => session.#room.open(),
    onReturn: (session) => void session.close(),
  };

  readonly transport: Transport;
  readonly outbound: OutboundStream;
  readonly pending: PendingRequests;
  readonly closed: Promise<TransportClose>;
  readonly #options: SessionOptions;
  readonly #served: RequestHandlers;
  readonly #notices: Notices;
  readonly #unread: Unread;
  readonly #inbound: Inbound;
  /** Reading waits for this object while the transport is paused. */
  readonly #room = new Waiters();
  /** Ids for control frames, which have no `uuid`. For all other messages, callers provide an id. */
  readonly #uuids = new Uuids();
  /** Fulfils when everything has been written, or can no longer be written. */
  readonly #written: Promise<void>;
  /** The number of bytes that answers have added to the outbound stream since the stream was last below its mark. */
  #answeredBytes = 0;
  #failure: TransportError | undefined;
  #isOpen = false;

  constructor(transport: Transport, options: SessionOptions) {
    const { handlers = NO_HANDLERS, shouldServe, maxServedRequests, maxServedBytes } = options;
    this.transport = transport;
    this.closed = transport.closed;
    this.#options = options;
    this.outbound = createOutboundStream({ ...options.outbound, onDrain: () => this.#drained() });
    this.pending = createPendingRequests({ send: (frame) => this.#send(frame) });
    this.#served = createRequestHandlers({
      handlers,
      send: (frame) => this.#answer(frame),
      hasRoom: () => this.#hasRoom(),
      shouldServe,
      maxServedRequests,
      maxServedBytes,
    });
    const [served, pending] = [this.#served, this.pending];
    this.#notices = new Notices({ served, pending });
    this.#unread = new Unread(this, TransportSession.#unreadEvents);
    this.#inbound = new Inbound(options, { served, pending, notices: this.#notices, unread: this.#unread });
    this.transport.opened.then(
      () => {
        this.#isOpen = true;
      },
      () => {},
    );
    this.#written = this.outbound.pipeTo(transport).catch((error) => this.#unwritten(toTransportError(error)));
    this.#abortWith(options.signal);
    void this.#read();
  }

  serve(request: ControlRequestFrame): void {
    this.#served.add(request, encodeText(request).length);
    this.#served.serve();
  }

  served(): Promise<void> {
    return this.#served.idle();
  }

  emit(message: WireMessage): Promise<void> {
    return this.outbound.emit(message, this.#identify(message));
  }

  request<Answer>(request: ControlRequest, options?: RequestOptions<Answer>): Promise<Answer> {
    const answer = this.pending.request<Answer>(request, options);
    // This side is now waiting for something, so a paused transport must be read again.
    this.#room.open();
    return answer;
  }

  end(): Promise<void> {
    const { isInHandler } = this.#served;
    const ended = this.#end();
    if (!isInHandler) return ended;
    // The handler would wait for its own answer. `closed` reports why the session ended.
    ended.catch(() => {});
    return Promise.resolve();
  }

  async close(): Promise<void> {
    this.#served.abort(new TransportError('closed', 'the session was closed'));
    this.outbound.end();
    // A transport that is still connecting drops the waiting messages, so there is nothing to wait for.
    if (this.#isOpen) await this.#written;
    await this.transport.close();
  }

  abort(reason?: unknown): void {
    this.transport.abort(reason);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  [Symbol.asyncIterator](): AsyncIterator<SessionItem, undefined> {
    return this.#unread[Symbol.asyncIterator]();
  }

  #abortWith(signal: AbortSignal | undefined): void {
    if (signal?.aborted) this.abort(signal.reason);
    else if (signal !== undefined) {
      const forget = onAbort(signal, () => this.abort(signal.reason));
      void this.closed.then(forget);
    }
  }

  #unwritten(reason: TransportError): void {
    // The peer cannot answer a request that was not sent. The peer's messages are still read to the end, unless the peer itself has stopped reading.
    this.#unanswered(this.#errorForApplication(reason));
    if (reason.code === 'overflow') this.#fail(reason);
  }

  async #read(): Promise<void> {
    const { pauseAboveBytes = DEFAULT_PAUSE_ABOVE_BYTES, failAboveBytes = DEFAULT_FAIL_ABOVE_BYTES } = this.#options;
    const inbound = this.#inbound;
    try {
      for await (const items of this.transport.incoming) {
        inbound.accept(items);
        while (inbound.bytes > pauseAboveBytes && inbound.mayPause) await this.#room.wait();
        if (inbound.bytes > failAboveBytes) throw overflow(inbound.bytes, failAboveBytes);
      }
    } catch (error) {
      this.#fail(toTransportError(error));
    }
    const failure = this.#failure && { reason: this.#errorForApplication(this.#failure) };
    const ended = 'the other side ended its output before it answered';
    this.#unanswered(failure ? failure.reason : new TransportError('closed', ended));
    this.#unread.end(failure);
  }

  async #end(): Promise<void> {
    await this.#served.idle();
    this.outbound.end();
    await this.#written;
    // This is done even if writing failed: the transport closes when both directions have ended.
    await this.transport.end();
  }

  #fail(error: TransportError): void {
    this.#failure ??= error;
    this.#served.abort(this.#failure);
    this.outbound.fail(this.#errorForApplication(this.#failure));
    this.transport.abort(this.#failure);
    this.#room.open();
  }

  #unanswered(reason: unknown): void {
    this.pending.close(reason);
    callBack(() => this.#options.onEnd?.(reason));
  }

  #errorForApplication(error: TransportError): unknown {
    const { signal } = this.#options;
    return signal?.aborted && error.code === 'aborted' ? signal.reason : error;
  }

  #send(frame: WireMessage): void {
    if (!this.transport.hasMessageIds) return this.outbound.enqueue(frame, PLAIN);
    const uuid = this.#uuids.next();
    this.#notices.sent(frame, uuid);
    const identified = { ...frame, uuid };
    this.outbound.enqueue(identified, this.#identify(identified));
  }

  #answer(frame: WireMessage): void {
    const before = this.outbound.bytes;
    this.#send(frame);
    this.#answeredBytes += this.outbound.bytes - before;
  }

  #hasRoom(): boolean {
    return this.#answeredBytes <= (this.#options.outbound?.highWaterMarkBytes ?? DEFAULT_HIGH_WATER_MARK_BYTES);
  }

  #drained(): void {
    this.#answeredBytes = 0;
    this.#served.serve();
    this.#room.open();
  }

  #identify(message: WireMessage): EnqueueOptions {
    const { uuid } = message;
    if (!this.transport.hasMessageIds || typeof uuid !== 'string') return PLAIN;
    return { id: uuid, ephemeral: this.#options.isEphemeral?.(message) ?? false };
  }
}

function overflow(bytes: number, limit: number): TransportError {
  return new TransportError(
    'overflow',
    `${bytes} bytes are unread, but the limit is ${limit}: read the session or raise failAboveBytes`,
  );
}
