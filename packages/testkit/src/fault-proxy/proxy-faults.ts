/** How a connection breaks: it ends in order (`fin`), by a reset (`rst`), or nothing passes any more and nobody is told (`stall`). */
export type Cut = 'fin' | 'rst' | 'stall';

/** What a proxy does to connections. Nothing is said: every byte passes as it comes. */
export interface ProxyFaults {
  /** Connections are reset as soon as they come. Those that are open stay. */
  readonly refuses?: boolean;
  /** Nothing passes, in either direction, and connections stay open. */
  readonly silent?: boolean;
  /** Cuts a connection over which nothing has passed for so long, as proxies do. */
  readonly idleMs?: number;
  /** Holds the beginning of each answer back for so long: what the server sends behind something of the client. */
  readonly headMs?: number;
  /** Gathers what the server sends for so long, and passes it in one piece. */
  readonly gatherMs?: number;
  /** Passes what the server sends in pieces of so many bytes at most. */
  readonly pieceBytes?: number;
  /** Waits for so long behind each piece. */
  readonly pieceMs?: number;
  /** Cuts a connection behind so many bytes of the client; counted from when the proxy was told so. */
  readonly cutAfterRequestBytes?: number;
  /** Cuts a connection behind so many bytes of the server, counted alike; behind 0 the server has answered, and nobody hears it. */
  readonly cutAfterAnswerBytes?: number;
  /** How it cuts. Default `rst`. */
  readonly cut?: Cut;
}
