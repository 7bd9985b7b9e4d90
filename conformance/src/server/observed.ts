import type { IncomingHttpHeaders } from 'node:http';

export interface Exchange {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly token: string | undefined;
  readonly sent: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Undefined if the body is not JSON. */
  readonly body: unknown;
  /** When the request began, and when its answer had arrived, in milliseconds of `performance.now()`. */
  readonly began: number;
  readonly ended: number;
}

/** A request that may have arrived, but whose answer is unknown. */
export type LostExchange = Pick<Exchange, 'method' | 'path' | 'sent'>;

export interface StreamFrame {
  readonly event: string | undefined;
  readonly id: string | undefined;
  /** The text of each `data:` line. */
  readonly lines: readonly string[];
  /** Undefined if the data is not JSON. */
  readonly data: unknown;
  /** When the frame arrived, in milliseconds of `performance.now()`. */
  readonly at: number;
}

interface Reading {
  readonly party: string;
  readonly session: string;
  readonly isWorker: boolean;
  /** The cursor that was sent when the link was opened. */
  readonly from: number;
  /** When the link was requested, and when it ended, in milliseconds of `performance.now()`. */
  readonly opened: number;
  closed?: number;
}

export interface StreamReading extends Reading {
  readonly kind: 'stream';
  status: number;
  headers: IncomingHttpHeaders;
  /** The larger of the cursors in the header and the query. */
  readonly latest: number;
  readonly frames: StreamFrame[];
  /** Whether a line ended with a carriage return. */
  hasCarriageReturns: boolean;
}

export interface SocketFrame {
  readonly text: string;
  readonly isBinary: boolean;
  readonly at: number;
}

export interface SocketReading extends Reading {
  readonly kind: 'socket';
  /** Whether the client and the server agreed on `sjp.v1`. */
  isNumbered: boolean;
  readonly frames: SocketFrame[];
  /** The text of each frame that the client has sent. */
  readonly sent: string[];
  /** For each frame that the client has sent, the number of frames that it had received before. */
  readonly receivedBefore: number[];
  /** Whether the upgrade contained no credential. */
  readonly isAnonymous: boolean;
  /** Why the client could not read a frame, for example because its text is not UTF-8. */
  unreadable?: string;
}

/** The rules check this after the steps. */
export interface Observed {
  readonly exchanges: Exchange[];
  /** The answers to requests for event streams, without their bodies. */
  readonly openings: Exchange[];
  readonly lost: LostExchange[];
  readonly readings: (StreamReading | SocketReading)[];
  readonly sessions: Set<string>;
  /** When each session was archived, in milliseconds of `performance.now()`: before the request, and after its answer. */
  readonly archived: Map<string, { readonly began: number; readonly ended: number }>;
  readonly accounts: Readonly<Partial<Record<'driver' | 'approver' | 'viewer', string | undefined>>>;
}
