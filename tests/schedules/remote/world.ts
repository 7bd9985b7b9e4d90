import type { Clock } from '@proto/core/reconnect';
import type { StoredEvent } from '@proto/ingress/event-log';
import type { Fetch } from '@proto/transport-sse';
import type { OpenSocket } from '@proto/transport-websocket';

/** How an event stream breaks: by a reset, by a clean end, or by silence. */
export const CUTS = ['rst', 'fin', 'stall'] as const;

/** What happens to the next request: the request is refused or swallowed, or it is served and the answer is lost or swallowed. */
export const FATES = ['refused', 'swallowed', 'answer lost', 'answer swallowed'] as const;

/** The address of the servers as clients know it. */
export const BASE = 'http://127.0.0.1';

/** The kinds of links, by the names of their schemes. */
export type LinkKind = 'websocket' | 'sse';

/** The link of one client to the server. */
export interface Link {
  /** Sends a request; addresses below `BASE` belong to the server. */
  readonly fetch: Fetch;
  /** Opens a WebSocket, if the world has WebSockets. */
  readonly open?: OpenSocket;
  /** Refuses WebSockets or event streams permanently from now on, and breaks the open ones of that kind. */
  refuse?(kind: LinkKind): void;
  /** Stops refusing links. */
  allow?(): void;
  /** Breaks the open streams after so many further bytes. */
  cut(how: (typeof CUTS)[number], bytes: number): void;
  /** Decides what happens to the next request. */
  next(fate: (typeof FATES)[number]): void;
  /** Breaks the next request off after so many bytes of its body, if this world can. */
  cutBody?(bytes: number): void;
  /** Sets whether event streams are read. */
  read(yes: boolean): void;
  /** Stops all faults of open and later links. Broken links stay broken. */
  heal(): void;
}

/** The stored events, read without a server. */
export interface Kept {
  /** Returns all events a session ever had, including those that retention has dropped. */
  events(session: string): Promise<readonly StoredEvent[]>;
  /** Returns the number of those events. */
  last(session: string): Promise<number>;
  /** Returns the last event that retention has dropped, or 0. */
  dropped(session: string): Promise<number>;
  /** Returns the place of the event with this id, for clients that do not learn the place. */
  placeOf(session: string, id: string): number | undefined;
}

/** The rights of the clients. */
export interface Rights {
  /** Returns the current token of a client. An approver has that role from the beginning. */
  token(name: string, role?: 'driver' | 'approver'): string;
  /** Revokes the tokens of a client. Returns false if this world does not support that. */
  revoke(name: string): boolean;
  /** Lets a client only read from now on, with its current token. Returns false if this world does not support that. */
  demote(name: string): boolean;
}

/** A server over a log, the links to the server, and the clock. */
export interface World {
  readonly clock: Clock;
  readonly kept: Kept;
  readonly rights: Rights;
  readonly timing: Timing;
  /** Errors within a server that must not happen. */
  readonly problems: string[];
  link(): Link;
  readonly server: {
    /** Kills the server, which loses uncommitted writes, and starts another one over the same log. */
    kill(): void;
    /** Shuts the server down gracefully, and starts another one over the same log. */
    drain(): void;
    /** Makes the next write to the log fail. */
    failWrite(): void;
    /** Delays all reads and writes of the log for some seconds. */
    hang(): void;
    /** Waits until a server works. */
    mend(): void;
  };
  /** Does a step that only this kind of world knows. Returns false for any other step. */
  act?(step: string): boolean;
  /** Lets the operations in progress advance a few steps. */
  moment(): Promise<void>;
  pass(ms: number): Promise<void>;
  until(check: () => boolean, what: string): Promise<void>;
  close(): Promise<void>;
}

/** The time limits of clients, in milliseconds. */
export interface Timing {
  readonly retryMs: number;
  readonly silenceMs: number;
  readonly answerMs: number;
}
