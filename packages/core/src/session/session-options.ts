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

/** The result of a check: a message to hand on, with the issues of the members that were left out; or why the message must not be handed on. */
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
   * The control requests that this side serves, by subtype. A peer that sends requests and does not read is served until the answers fill
   * the outbound stream to its high-water mark. Further requests wait until the peer has read, and count as unread. Above
   * `maxServedRequests` or `maxServedBytes` a request is answered with an error of code `too_many_requests`.
   */
  readonly handlers?: ControlHandlers;
  /**
   * Checks each message for the application. The application gets the message that the check returns, or a `malformed` item where the
   * check has issues. `messageValidator()` of `@proto/core/messages` creates such a check. Default: every message passes unchanged.
   */
  readonly validate?: (message: WireMessage) => CheckedMessage;
  /**
   * Called with each item for the application when the item arrives, in order with the control traffic and before the loop that reads the
   * session gets it. For an item that is not a message, `line` is the whole line.
   */
  readonly onItem?: (item: SessionItem, line?: string) => void;
  /** Called with each message after it is parsed and before anything acts on it; also with control frames and `keep_alive`. */
  readonly onMessage?: (message: WireMessage) => void;
  /** Called with each answer of the peer, and with what the answer was: `unknown` for an answer to a request that this side never sent. */
  readonly onResponse?: (response: WireMessage, settlement: Settlement) => void;
  /** Called with the reason why no further answer will come. All pending requests have been rejected with the first such reason. */
  readonly onEnd?: (reason: unknown) => void;
  /** Returns false for a request that is repeated: the request is then neither served nor answered. Default: every request is served. */
  readonly shouldServe?: (request: ControlRequestFrame) => boolean;
  /** Returns true for a message that may be lost without harm. Asked only for messages that travel under an id. Default: no message. */
  readonly isEphemeral?: (message: WireMessage) => boolean;
  /** Aborting drops everything now. Pending requests reject with `signal.reason`, unchanged, and the iteration throws it. */
  readonly signal?: AbortSignal;
  /** The limits of the queue of outgoing messages. */
  readonly outbound?: Omit<OutboundStreamOptions, 'onDrain' | 'onReturn'>;
  /** The unread bytes above which the transport is paused, while no request waits for an answer. Default 16 MiB. */
  readonly pauseAboveBytes?: number;
  /** The unread bytes above which the session ends with `overflow`, while a pending request keeps it from pausing. Default 256 MiB. */
  readonly failAboveBytes?: number;
  /**
   * How many requests of the peer are served at once. A request counts until its handler has returned, also after the peer has cancelled
   * it: end the work of a handler when its signal aborts. Default 10 000.
   */
  readonly maxServedRequests?: number;
  /** How many bytes the text of the requests that are served at once may have. Default 64 MiB. */
  readonly maxServedBytes?: number;
}

/** The sending half of a session. Handlers and turns get it, because they must not end the session. */
export interface SessionWriter extends RequestSender {
  /** Queues a message in order; fulfils when the queue has room. */
  emit(message: WireMessage): Promise<void>;
}

/**
 * One side of the protocol over one transport. The session always reads: a control frame is served when it arrives, before unread
 * messages, and a cancel before both. Everything else waits for the application, which iterates the session once. Leaving that loop closes
 * the session. The iteration ends with the output of the peer, and throws when the link broke.
 */
export interface Session extends SessionWriter, AsyncIterable<SessionItem>, AsyncDisposable {
  /** The transport of the session. Do not iterate or close it: the session does. */
  readonly transport: Transport;
  /** The queue of everything that this side sends. */
  readonly outbound: OutboundStream;
  /** The requests of this side that wait for an answer. */
  readonly pending: PendingRequests;
  /** Serves a request that did not arrive as a message, such as a request within an answer. */
  serve(request: ControlRequestFrame): void;
  /** Fulfils when no request of the peer is served or waits to be served. Cancelled requests do not count. */
  served(): Promise<void>;
  /** Fulfils with the reason why the session ended. Never rejects. */
  readonly closed: Promise<TransportClose>;
  /**
   * Answers the requests that are being served, writes the queue, then ends the output. Receiving goes on. Fulfils
   * when that is done. A handler that calls `end` before its first `await` gets a fulfilled promise, and the end follows its answer. After
   * its first `await` a handler must not wait for `end`: it would wait for itself.
   */
  end(): Promise<void>;
  /** Aborts the requests that are being served, writes the queue, then closes the transport. */
  close(): Promise<void>;
  /** Drops everything now. */
  abort(reason?: unknown): void;
}
