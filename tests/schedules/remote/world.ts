import type { Clock } from '@proto/transport-sse';
import type { StoredEvent } from '@proto/ingress';
import type { Fetch } from '@proto/transport-sse';
import type { OpenSocket } from '@proto/transport-websocket';

/** How an event stream breaks: a reset, an end in order, or silence without either. */
export const CUTS = ['rst', 'fin', 'stall'] as const;

/** What becomes of the next request: it never arrives, refused or swallowed, or it is served and the answer is lost or swallowed. */
export const FATES = ['refused', 'swallowed', 'answer lost', 'answer swallowed'] as const;

/** Where servers are as clients know it. */
export const BASE = 'http://127.0.0.1';

/** Kinds of links, as schemes call them. */
export type LinkKind = 'websocket' | 'sse';

/** One client's way to the server. */
export interface Link {
  /** What is below `BASE` is the server. */
  readonly fetch: Fetch;
  /** Where the world has WebSockets. */
  readonly open?: OpenSocket;
  /** From now on WebSockets are refused for good, or event streams; what is open of the kind breaks. */
  refuse?(kind: LinkKind): void;
  /** Whatever was refused is not any more. */
  allow?(): void;
  /** Breaks the streams that are open, behind so many further bytes. */
  cut(how: (typeof CUTS)[number], bytes: number): void;
  /** What becomes of the request that is made next. */
  next(fate: (typeof FATES)[number]): void;
  /** Whether event streams are read at all. */
  read(yes: boolean): void;
  /** Nothing more happens to what is open and what comes; what is broken stays so. */
  heal(): void;
}

/** What servers have stored, beside all servers. */
export interface Kept {
  /** All events of a session that there ever were, also those that retention has dropped. */
  events(session: string): Promise<readonly StoredEvent[]>;
  /** How many that is. */
  last(session: string): Promise<number>;
  /** The last event that retention has dropped; 0 where it has dropped none. */
  dropped(session: string): Promise<number>;
  /** Where the event with this id is; for clients that are not told. */
  placeOf(session: string, id: string): number | undefined;
}

/** Who may do what. */
export interface Rights {
  /** What somebody proves now to be who he is. Who has the role of an approver has that from the beginning. */
  token(name: string, role?: 'driver' | 'approver'): string;
  /** Whatever somebody had as a token is worth nothing any more; false where that is out of reach. */
  revoke(name: string): boolean;
  /** Somebody may only look on, under the token there is; false where that is out of reach. */
  demote(name: string): boolean;
}

/** A server over a log, ways to it, and the time. */
export interface World {
  readonly clock: Clock;
  readonly kept: Kept;
  readonly rights: Rights;
  readonly timing: Timing;
  /** What a server did that nobody may see. */
  readonly problems: string[];
  link(): Link;
  readonly server: {
    /** It is gone at once, with what was not committed, and another one begins over the same log. */
    kill(): void;
    /** It goes down in order, and another one begins over the same log. */
    drain(): void;
    /** The next write to the log fails. */
    failWrite(): void;
    /** Its log takes and gives nothing for some seconds. */
    hang(): void;
    /** There is one that works. */
    mend(): void;
  };
  /** A few steps of what is under way. */
  moment(): Promise<void>;
  pass(ms: number): Promise<void>;
  until(check: () => boolean, what: string): Promise<void>;
  close(): Promise<void>;
}

/** How patient clients are, in milliseconds. */
export interface Timing {
  readonly retryMs: number;
  readonly silenceMs: number;
  readonly answerMs: number;
}
