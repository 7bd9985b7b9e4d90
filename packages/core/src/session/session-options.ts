import type { Issue } from '../errors.ts';
import type { WireMessage } from '../framing/json-line.ts';
import type { ControlRequests } from '../messages/message-types.ts';
import type { Transport, TransportClose } from '../transport/transport.ts';
import type { ControlRequestFrame } from './control-frames.ts';
import type { AnswerTo } from '../messages/message-unions.ts';
import type { PendingRequests, RequestSender, Settlement } from './pending-requests.ts';
import type { OutboundStream, OutboundStreamOptions } from './outbound-stream.ts';
import type { RequestHandler } from './request-handlers.ts';
import type { SessionItem } from './unread.ts';

/**
 * The result of a check: a message to pass on, with the issues of the members that were left out, or the reason why the message must not be passed
 * on.
 */
export type CheckedMessage =
  | { readonly message: WireMessage; readonly dropped?: readonly Issue[]; readonly issues?: undefined }
  | { readonly issues: readonly Issue[]; readonly message?: undefined; readonly dropped?: undefined };

/** The functions that serve control requests, by subtype. Declared requests have typed members and a typed answer, which are not checked. */
export type ControlHandlers = {
  readonly [Subtype in keyof ControlRequests]?: RequestHandler<
    ControlRequests[Subtype],
    AnswerTo<Subtype> | PromiseLike<AnswerTo<Subtype>>
  >;
} & { readonly [subtype: string]: RequestHandler };

/** The handlers, limits and checks of a session. */
export interface SessionOptions {
  /**
   * The control requests that this side serves, by subtype. If a peer sends requests but does not read, its requests are served until the answers
   * fill the outbound stream to its high-water mark. Further requests count as unread, and wait until the peer reads. Above `maxServedRequests` or
   * `maxServedBytes`, a request is answered with an error with the code `too_many_requests`.
   */
  readonly handlers?: ControlHandlers;
  /**
   * Checks each message for the application. The application receives the message that the check returns, or a `malformed` item if the check finds
   * issues. `messageValidator()` of `@proto/core/messages` creates such a check. Default: every message passes unchanged.
   */
  readonly validate?: (message: WireMessage) => CheckedMessage;
  /**
   * Called with each item for the application when the item arrives, in order with the control traffic, and before the loop over the session receives
   * it. For an item that is not a message, `line` is the whole line.
   */
  readonly onItem?: (item: SessionItem, line?: string) => void;
  /** Called with each message, including control frames and `keep_alive`, after the message is parsed and before it is processed. */
  readonly onMessage?: (message: WireMessage) => void;
  /** Called with each answer from the peer, and with its classification, such as `unknown` for an answer to a request that this side never sent. */
  readonly onResponse?: (response: WireMessage, settlement: Settlement) => void;
  /**
   * Called with the reason why no more answers will arrive. May be called again with a later reason. The pending requests have been rejected with the
   * first reason before the first call.
   */
  readonly onEnd?: (reason: unknown) => void;
  /** Returns `false` for a repeated request, which is then neither served nor answered. Default: every request is served. */
  readonly shouldServe?: (request: ControlRequestFrame) => boolean;
  /**
   * Returns `true` for a message that may be lost without harm. Called only for messages that are sent under an id. Default: no message may be lost.
   */
  readonly isEphemeral?: (message: WireMessage) => boolean;
  /** When this signal aborts, everything is dropped at once. Pending requests reject with `signal.reason` itself, and the iteration throws it. */
  readonly signal?: AbortSignal;
  /** The limits of the queue of outgoing messages. */
  readonly outbound?: Omit<OutboundStreamOptions, 'onDrain' | 'onReturn'>;
  /** The number of unread bytes above which the transport is paused, as long as no request is waiting for an answer. Default 16 MiB. */
  readonly pauseAboveBytes?: number;
  /** The number of unread bytes above which the session ends with `overflow`, if a pending request prevents pausing. Default 256 MiB. */
  readonly failAboveBytes?: number;
  /**
   * How many of the peer's requests are served at once. A request counts until its handler has returned, even after the peer has cancelled it, so a
   * handler should stop its work when its signal aborts. Default 10 000.
   */
  readonly maxServedRequests?: number;
  /** The maximum total size of the requests that are served at once, in bytes of text. Default 64 MiB. */
  readonly maxServedBytes?: number;
}

/** The sending half of a session. Handlers and turns receive only this half, because they must not end the session. */
export interface SessionWriter extends RequestSender {
  /** Queues a message in order. Fulfils when the queue has room. */
  emit(message: WireMessage): Promise<void>;
}

/**
 * One side of the protocol over one transport. The session reads from the transport even while it is not iterated. A control frame is served when it
 * arrives, even if earlier messages are still unread. A cancel is processed before any request that arrived with it. All other items wait for the
 * application, which must iterate the session only once. Leaving the loop closes the session. The iteration ends when the peer's output ends, and
 * throws if the link broke.
 */
export interface Session extends SessionWriter, AsyncIterable<SessionItem>, AsyncDisposable {
  /** The transport of the session. Do not iterate or close the transport, because the session itself iterates and closes it. */
  readonly transport: Transport;
  /** The queue of everything that this side sends. */
  readonly outbound: OutboundStream;
  /** This side's requests that are waiting for an answer. */
  readonly pending: PendingRequests;
  /** Serves a request that did not arrive as a message, such as a request within an answer. */
  serve(request: ControlRequestFrame): void;
  /** Fulfils when none of the peer's requests is being served or waiting to be served. Cancelled requests do not count. */
  served(): Promise<void>;
  /** Fulfils with the reason why the session ended. Never rejects. */
  readonly closed: Promise<TransportClose>;
  /**
   * Waits until the requests that are being served are answered, writes the queue, then ends the output. Receiving continues. Fulfils when the output
   * has ended. If a handler calls `end` before its first `await`, the returned promise is already fulfilled, and the output ends after the handler's
   * answer. After its first `await`, a handler must not wait for `end`, because it would wait for itself.
   */
  end(): Promise<void>;
  /** Aborts the requests that are being served, writes the queue, then closes the transport. */
  close(): Promise<void>;
  /** Drops everything at once, and ends the session. */
  abort(reason?: unknown): void;
}
