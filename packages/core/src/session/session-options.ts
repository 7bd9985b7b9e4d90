import type { Issue } from '../errors.ts';
import type { WireMessage } from '../framing/json-line.ts';
import type { ControlRequests } from '../messages/message-types.ts';
import type { Transport, TransportClose } from '../transport/transport.ts';
import type { ControlRequestFrame } from './control-frames.ts';
import type { AnswerTo, PendingRequests, RequestSender, Settlement } from './pending-requests.ts';
import type { OutboundStream, OutboundStreamOptions } from './outbound.ts';
import type { RequestHandler } from './request-handlers.ts';
import type { SessionItem } from './unread.ts';

/** A message to hand on, with what was left out of it, or why it must not be handed on. */
export type CheckedMessage =
  | { readonly message: WireMessage; readonly dropped?: readonly Issue[]; readonly issues?: undefined }
  | { readonly issues: readonly Issue[]; readonly message?: undefined; readonly dropped?: undefined };

/** What serves control requests, by subtype: of declared ones it knows the members and the answer, as the peer promises them. */
export type ControlHandlers = {
  readonly [Subtype in keyof ControlRequests]?: RequestHandler<
    ControlRequests[Subtype],
    AnswerTo<Subtype> | PromiseLike<AnswerTo<Subtype>>
  >;
} & { readonly [subtype: string]: RequestHandler };

/** The handlers, limits and checks of a session. */
export interface SessionOptions {
  /**
   * Control requests this side serves, by subtype. A peer that sends requests and does not read is served until the answers fill
   * the outbound stream to its mark once more; what it asks then waits until it has read, and counts as unread. Above
   * `maxServedRequests` or `maxServedBytes` a request is answered with an error of code `too_many_requests` instead.
   */
  readonly handlers?: ControlHandlers;
  /**
   * Checks messages for the application: what it gives instead is handed on, and what it has issues with is a `malformed` item.
   * `messageValidator()` of `@proto/core/messages` makes one. Default: every message passes as it came.
   */
  readonly validate?: (message: WireMessage) => CheckedMessage;
  /**
   * Hears each item for the application when it comes, in order with the control traffic, ahead of whoever iterates; with one that is
   * no message the line it was.
   */
  readonly onItem?: (item: SessionItem, line?: string) => void;
  /** Hears each message when it is parsed, control frames and signs of life too, ahead of whoever takes it. */
  readonly onMessage?: (message: WireMessage) => void;
  /** Hears each answer of the peer, and what it was: `unknown` is one to a request this side never sent. */
  readonly onResponse?: (response: WireMessage, settlement: Settlement) => void;
  /** Hears why no answer will come any more; what waits has been rejected with the first such reason. */
  readonly onEnd?: (reason: unknown) => void;
  /** False leaves a request out, which then has no answer: one that came before. Default: each is served. */
  readonly isNew?: (request: ControlRequestFrame) => boolean;
  /** Which messages may be lost without harm, where the transport tells them apart. Default: none. */
  readonly isEphemeral?: (message: WireMessage) => boolean;
  /** Aborting drops everything now; what waits rejects with `signal.reason`, unchanged, and the iteration throws it. */
  readonly signal?: AbortSignal;
  readonly outbound?: Omit<OutboundStreamOptions, 'onDrain' | 'onReturn'>;
  /** Default `DEFAULT_PAUSE_ABOVE_BYTES`. */
  readonly pauseAboveBytes?: number;
  /** Default `DEFAULT_FAIL_ABOVE_BYTES`. */
  readonly failAboveBytes?: number;
  /**
   * How many requests of the peer are served at once. A request counts until its handler has returned, also one the peer has taken back:
   * end the work of a handler when its signal aborts. Default `DEFAULT_MAX_SERVED_REQUESTS`, 10 000.
   */
  readonly maxServedRequests?: number;
  /** How many bytes of text those requests may have together. Default `DEFAULT_MAX_SERVED_BYTES`, 64 MiB. */
  readonly maxServedBytes?: number;
}

/** How one side speaks: what a handler or a turn is given, which must not end the session. */
export interface SessionWriter extends RequestSender {
  /** Queues a message in order; fulfils when the queue has room. */
  emit(message: WireMessage): Promise<void>;
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
  /** Serves a request that came another way, such as within an answer. */
  serve(request: ControlRequestFrame): void;
  /** Fulfils when no request of the peer is being served or waits to be: those that are taken back do not count. */
  served(): Promise<void>;
  /** The one reason why it ended; never rejects. */
  readonly closed: Promise<TransportClose>;
  /**
   * Answers what is being served, writes what is queued, then says that no more will come. Receiving goes on. Fulfils when that is done;
   * called by a handler ahead of its first `await`, it fulfils at once, and the end comes behind the answer. Later in a handler do not
   * wait for it: the handler would wait for itself.
   */
  end(): Promise<void>;
  /** Aborts what is being served, writes what is queued, then closes the transport. */
  close(): Promise<void>;
  /** Drops everything now. */
  abort(reason?: unknown): void;
}
