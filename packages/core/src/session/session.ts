import { ProtocolError } from '../errors.ts';
import { encodeText } from '../framing/encode-line.ts';
import type { MalformedReason, WireMessage } from '../framing/parse-line.ts';
import { TransportError } from '../transport/error.ts';
import { isResumable } from '../transport/resumable-transport.ts';
import type { Incoming, IncomingMessage, IncomingNotice, Transport } from '../transport/transport.ts';
import { callBack } from '../transport/call-back.ts';
import { lengthOf } from '../transport/incoming-queue.ts';
import { onAbort } from '../transport/on-abort.ts';
import { type ControlRequest, isControlRequest, isControlResponse, requestIdOf } from './control-frames.ts';
import { Waiters } from './waiters.ts';
import { Notices } from './notices.ts';
import { createOutboundStream, DEFAULT_HIGH_WATER_MARK_BYTES, type EnqueueOptions } from './outbound.ts';
import { createPendingRequests, type RequestOptions } from './pending-requests.ts';
import { createRequestHandlers } from './request-handlers.ts';
import type { Session, SessionOptions } from './session-options.ts';
import { type SessionItem, type SessionMalformed, type SessionMessage, Unread } from './unread.ts';
import { createUuids } from './uuids.ts';

/** Unread and unserved bytes above which the transport is paused, while nothing is waited for. */
export const DEFAULT_MAX_UNREAD_BYTES = 16 * 1024 * 1024;
/** The same bytes above which the session ends, while it may not pause because something is waited for. */
export const DEFAULT_MAX_BUFFERED_BYTES = 256 * 1024 * 1024;

// What a request that waits takes besides its text (measured).
const REQUEST_BYTES = 512;
// How much of a line that is no message is shown.
const EXCERPT_LENGTH = 256;
const PLAIN: EnqueueOptions = {};
const ENDED = 'the other side ended its output before it answered';

/** Makes a session over a transport, and reads from it at once. */
export function createSession(transport: Transport, options: SessionOptions = {}): Session {
  const { maxUnreadBytes = DEFAULT_MAX_UNREAD_BYTES, maxBufferedBytes = DEFAULT_MAX_BUFFERED_BYTES } = options;
  const { handlers = {}, outbound: { highWaterMarkBytes: mark = DEFAULT_HIGH_WATER_MARK_BYTES } = {} } = options;
  const outbound = createOutboundStream({ ...options.outbound, onDrain });
  const pending = createPendingRequests({ send });
  const hasRoom = () => owed <= mark;
  const { maxServedRequests, maxServedBytes, isNew } = options;
  const served = createRequestHandlers({ handlers, send: answer, hasRoom, isNew, maxServedRequests, maxServedBytes });
  const notices = new Notices({ served, pending });
  const room = new Waiters();
  // For control frames, which have no id of their own; other messages get theirs from who emits them.
  const uuids = createUuids();
  const unread = new Unread({
    onCursor: (cursor) => void (isResumable(transport) && transport.resumption.acknowledge(cursor)),
    onTake: () => room.open(),
    onReturn: () => void close(),
  });
  // What answers added to the outbound stream since it was last below its mark.
  let owed = 0;
  let broken: TransportError | undefined;
  let opened = false;
  transport.opened.then(
    () => {
      opened = true;
    },
    () => {},
  );
  const written = outbound.pipeTo(transport).catch((error) => {
    const reason = TransportError.from(error);
    // What is not sent is not answered; what the peer still says is read to its end, unless it is a peer that reads nothing.
    unanswered(toldAs(reason));
    if (reason.code === 'overflow') fail(reason);
  });
  const { signal } = options;
  if (signal?.aborted) transport.abort(signal.reason);
  else if (signal !== undefined) {
    const forget = onAbort(signal, () => transport.abort(signal.reason));
    void transport.closed.then(forget);
  }
  void read();

  /** The error of whoever has aborted is theirs, and not ours. */
  function toldAs(error: TransportError): unknown {
    return options.signal?.aborted && error.code === 'aborted' ? options.signal.reason : error;
  }

  function send(frame: WireMessage): void {
    if (!transport.identifies) return outbound.enqueue(frame, PLAIN);
    const uuid = uuids.next();
    notices.sent(frame, uuid);
    const identified = { ...frame, uuid };
    outbound.enqueue(identified, identify(identified));
  }

  function answer(frame: WireMessage): void {
    const before = outbound.bytes;
    send(frame);
    owed += outbound.bytes - before;
  }

  function onDrain(): void {
    owed = 0;
    served.serve();
    room.open();
  }

  function identify(message: WireMessage): EnqueueOptions {
    const { uuid } = message;
    if (!transport.identifies || typeof uuid !== 'string') return PLAIN;
    return { id: uuid, ephemeral: options.isEphemeral?.(message) ?? false };
  }

  async function read(): Promise<void> {
    try {
      for await (const items of transport.incoming) {
        accept(items);
        while (buffered() > maxUnreadBytes && mayPause()) await room.wait();
        if (buffered() > maxBufferedBytes) throw overflow(buffered(), maxBufferedBytes);
      }
    } catch (error) {
      fail(TransportError.from(error));
    }
    const failure = broken && { reason: toldAs(broken) };
    unanswered(failure ? failure.reason : new TransportError('closed', ENDED));
    unread.end(failure);
  }

  function unanswered(reason: unknown): void {
    pending.close(reason);
    callBack(() => options.onEnd?.(reason));
  }

  function buffered(): number {
    return unread.bytes + served.bytes + REQUEST_BYTES * served.waiting;
  }

  /**
   * Not while something is waited for: an answer, or that a request which is being served is taken back. Requests for whose answers
   * there is no room do not count as being served: the peer has to read before it is read again.
   */
  function mayPause(): boolean {
    return pending.size === 0 && (served.running === 0 || served.waiting > 0);
  }

  function fail(error: TransportError): void {
    broken ??= error;
    served.abort(broken);
    outbound.error(toldAs(broken));
    transport.abort(broken);
    room.open();
  }

  /**
   * Control frames now, the rest to the application. Requests begin when the whole batch is seen, so that one which it also takes
   * back never does.
   */
  function accept(items: readonly Incoming[]): void {
    for (const item of items) {
      if (item.kind === 'notice') noticed(item);
      if (item.kind === 'link' || item.kind === 'malformed') arrived(item, 0);
      if (item.kind !== 'message') continue;
      const { message, error, reason } = item.read();
      if (message !== undefined && options.onMessage !== undefined) hears(options.onMessage, message);
      if (message === undefined) {
        malformed(item, error, reason);
      } else if (message.type === 'control_request') {
        if (isControlRequest(message)) served.add(message, item.text.length);
        else malformed(item, invalid(message.type, 'request'));
      } else if (message.type === 'control_response') {
        if (!isControlResponse(message)) malformed(item, invalid(message.type, 'response'));
        else heard(message);
      } else if (message.type === 'control_cancel_request') {
        served.cancel(requestIdOf(message));
      } else if (message.type !== 'keep_alive') {
        deliver(item, message);
      }
      unread.reached(item.cursor);
    }
    served.serve();
  }

  /** It may end what is being served, and it is an item for the application, like all that a session has not asked for itself. */
  function noticed(item: IncomingNotice): void {
    notices.heard(item);
    arrived(item, lengthOf(item));
    unread.reached(item.cursor);
  }

  function deliver(item: IncomingMessage, received: WireMessage): void {
    const { source, text } = item;
    try {
      const { message, issues, dropped } = options.validate?.(received) ?? { message: received };
      if (message === undefined) throw new ProtocolError('invalid-message', `invalid ${received.type}`, { issues });
      // Member by member: to spread them took 5 % of what a host pays for a message of 250 bytes.
      const arriving: { -readonly [Name in keyof SessionMessage]: SessionMessage[Name] } = { kind: 'message', message };
      if (source !== undefined) arriving.source = source;
      if (dropped?.length) arriving.dropped = dropped;
      arrived(arriving, text.length);
    } catch (error) {
      malformed(item, ProtocolError.from(error));
    }
  }

  function malformed({ text }: IncomingMessage, error: SessionMalformed['error'], reason?: MalformedReason): void {
    const excerpt = text.slice(0, EXCERPT_LENGTH);
    const about = { error, excerpt, length: text.length, ...(reason !== undefined && { reason }) };
    arrived({ kind: 'malformed', ...about }, excerpt.length, text);
  }

  function heard(response: WireMessage): void {
    const settlement = pending.settle(response);
    callBack(() => options.onResponse?.(response, settlement));
  }

  function arrived(item: SessionItem, bytes: number, line?: string): void {
    callBack(() => options.onItem?.(item, line));
    unread.push(item, bytes);
  }

  async function end(): Promise<void> {
    await served.idle();
    outbound.done();
    await written;
    // Also when writing failed: the transport closes when both directions are over.
    await transport.end();
  }

  async function close(): Promise<void> {
    served.abort(new TransportError('closed', 'the session was closed'));
    outbound.done();
    // A transport that is still connecting drops what waits, so there is nothing to wait for.
    if (opened) await written;
    await transport.close();
  }

  return {
    transport,
    outbound,
    pending,
    serve(request) {
      served.add(request, encodeText(request).length);
      served.serve();
    },
    served: () => served.idle(),
    closed: transport.closed,
    emit: (message) => outbound.emit(message, identify(message)),
    request<Answer>(request: ControlRequest, requestOptions?: RequestOptions<Answer>) {
      const answer = pending.request<Answer>(request, requestOptions);
      // Something is waited for now, so a paused link is read again.
      room.open();
      return answer;
    },
    end() {
      const isInHandler = served.isInHandler;
      const ended = end();
      if (!isInHandler) return ended;
      // It would wait for its own answer. How the end went is told by `closed`.
      ended.catch(() => {});
      return Promise.resolve();
    },
    close,
    abort: (reason) => transport.abort(reason),
    [Symbol.asyncDispose]: close,
    [Symbol.asyncIterator]: () => unread[Symbol.asyncIterator](),
  };
}

function hears(onMessage: (message: WireMessage) => void, message: WireMessage): void {
  callBack(() => onMessage(message));
}

function invalid(type: string, member: string): ProtocolError {
  const issues = [{ path: [member], message: 'must be an object' }];
  return new ProtocolError('invalid-message', `${type} without ${member}`, { issues });
}

function overflow(bytes: number, limit: number): TransportError {
  return new TransportError(
    'overflow',
    `${bytes} unread bytes, limit ${limit}: read the session or raise maxBufferedBytes`,
  );
}
