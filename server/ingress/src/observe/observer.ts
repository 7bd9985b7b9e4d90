import type { EventLogErrorCode, Usage } from '../log/event-log.ts';

/** An answered request. The query is left out, because it may contain a ticket, and so are the headers and the body. */
export interface AnsweredRequest {
  /** The HTTP method, such as `POST`. */
  readonly method: string;
  /** The pattern of the route, such as `/v1/code/sessions/:id/events`; `other` for an address that is not an endpoint. A server has few routes. */
  readonly route: string;
  /** The path as the client sent it, including the session id. */
  readonly path: string;
  /** The status of the answer: 101 for a WebSocket that was accepted. */
  readonly status: number;
  /** How long the answer took, in milliseconds. For an event stream, the time until it was open. */
  readonly ms: number;
  /** The `error.type` of a refusal, such as `rate_limit_error`. */
  readonly error?: string | undefined;
}

/** An append to the store that has settled. */
export interface ObservedAppend {
  /** How many events were stored. Duplicates are not counted. */
  readonly events: number;
  /** How many events were dropped because the log had them already. */
  readonly duplicates: number;
  /** How long the append took, in milliseconds. */
  readonly ms: number;
  /** The store's error code if it refused the append or failed. */
  readonly error?: EventLogErrorCode | undefined;
}

/**
 * Is notified of what a server does, for metrics and for a log. No member receives a token, an account name or the text of a message. Each member is
 * called during the work for a client, so it must return quickly and must not throw. Without an observer, a server does none of this work.
 */
export interface IngressObserver {
  /** Called for each answer to a request or an upgrade, except requests for `/healthz`, `/readyz` and `/metrics`. */
  answered?(request: AnsweredRequest): void;
  /** Called after each append to the store, even if the append failed. */
  appended?(append: ObservedAppend): void;
}

/** How many streams are open, by their reader and their kind. */
export interface OpenStreams {
  /** Who reads: a client of a session, or the worker that runs its agent. */
  readonly reader: 'viewer' | 'worker';
  /** The medium of the stream: server-sent events, or a WebSocket. */
  readonly kind: 'event-stream' | 'websocket';
  /** How many such streams are open. */
  readonly count: number;
}

/** What a server has open at a given moment. */
export interface IngressFigures {
  /** The number of sessions in memory. */
  readonly sessions: number;
  /** The open streams: one entry for each pair of reader and kind, even if no such stream is open. */
  readonly streams: readonly OpenStreams[];
  /** The bytes that are queued in this process for the readers of streams. */
  readonly queuedBytes: number;
  /** The size of the store; undefined while it cannot be read. */
  readonly store: Usage | undefined;
}

/** The metrics of a server, in the form of the answer to `GET /metrics`. */
export interface MetricsText {
  /** The value of the header `Content-Type`. */
  readonly contentType: string;
  /** The body, in the text format of Prometheus. */
  readonly text: string;
}

/**
 * Serves `GET /metrics` to clients that send a separate token. A separate token is used because metrics show how a server is used, and a collector
 * needs no access to sessions.
 */
export interface MetricsEndpoint {
  /** The bearer token, with at least 16 characters. */
  readonly token: string;
  /** Returns the answer to `GET /metrics`. `figures` is what the server has open now. */
  read(figures: IngressFigures): Promise<MetricsText>;
}
