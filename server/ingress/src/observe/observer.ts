import type { EventLogErrorCode, Usage } from '../log/event-log.ts';

/** A request that was answered. It has no query, because a query may have a ticket, and neither headers nor the body. */
export interface AnsweredRequest {
  /** The HTTP method, such as `POST`. */
  readonly method: string;
  /** The pattern of the route, such as `/v1/code/sessions/:id/events`; `other` for an address that is not an endpoint. A server has few routes. */
  readonly route: string;
  /** The path as the client wrote it, with the id of the session. */
  readonly path: string;
  /** The status of the answer: 101 for a WebSocket that was accepted. */
  readonly status: number;
  /** How long the answer took, in milliseconds. For an event stream: until it was open. */
  readonly ms: number;
  /** The `error.type` of a refusal, such as `rate_limit_error`. */
  readonly error?: string | undefined;
}

/** An append to the store that has settled. */
export interface ObservedAppend {
  /** How many events were stored. Duplicates do not count. */
  readonly events: number;
  /** How many events were dropped because the log had them already. */
  readonly duplicates: number;
  /** How long the append took, in milliseconds. */
  readonly ms: number;
  /** The code of the store if it has refused the append or has failed. */
  readonly error?: EventLogErrorCode | undefined;
}

/**
 * Receives what a server does, for metrics and for a log. No member gets a token, the name of an account, or a text of a message. Each member is
 * called in the middle of the work for a client, so it must return soon and must not throw. Without an observer a server does none of this work.
 */
export interface IngressObserver {
  /** Called for each answer to a request and to an upgrade, but those of `/healthz`, `/readyz` and `/metrics`. */
  answered?(request: AnsweredRequest): void;
  /** Called after each append to the store, also after a failed one. */
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

/** What a server has open at one moment. */
export interface IngressFigures {
  /** The sessions in memory. */
  readonly sessions: number;
  /** One entry for each kind, also if no stream of that kind is open. */
  readonly streams: readonly OpenStreams[];
  /** The bytes that wait in this process for readers of streams. */
  readonly queuedBytes: number;
  /** The size of the store; undefined while it cannot be read. */
  readonly store: Usage | undefined;
}

/** The metrics of a server, as the answer to `GET /metrics`. */
export interface MetricsText {
  /** The value of the header `Content-Type`. */
  readonly contentType: string;
  /** The body, in the text format of Prometheus. */
  readonly text: string;
}

/** Serves `GET /metrics` to holders of a separate token: metrics show how a server is used, and the collector needs no rights to sessions. */
export interface MetricsEndpoint {
  /** The bearer token, at least 16 characters. */
  readonly token: string;
  /** Returns the answer to `GET /metrics`. `figures` is what the server has open now. */
  read(figures: IngressFigures): Promise<MetricsText>;
}
