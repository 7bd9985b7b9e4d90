import type { Batch, Cursor, Transport } from './transport.ts';

/** How far the caller has dealt with the messages that arrived. */
export interface Resumption {
  /** The last acknowledged place. A later transport, also of another process, goes on after this place. */
  readonly cursor: Cursor | undefined;
  /** Acknowledges everything up to a place. An earlier or an unknown place changes nothing. */
  acknowledge(cursor: Cursor): void;
}

/** A transport that numbers what it delivers. */
export interface ResumableTransport extends Transport {
  /** How far the caller has dealt with the messages that arrived. */
  readonly resumption: Resumption;
}

/** Whether a transport numbers what it delivers. It may learn that from its link: ask when you need it. */
export function isResumable(transport: Transport): transport is ResumableTransport {
  return (transport as Partial<ResumableTransport>).resumption !== undefined;
}

/** The messages that a transport keeps until the peer has confirmed them. */
export interface Unacknowledged {
  /**
   * Returns the batches that the peer has not confirmed, in order; also after the end of the transport, so that another transport can send
   * them again under the same ids.
   */
  batches(): readonly Batch[];
}

/** A transport that keeps what it sent until the peer has confirmed it. */
export interface ReplayableTransport extends Transport {
  /** What was sent and is not confirmed. */
  readonly unacknowledged: Unacknowledged;
}

/** Whether a transport keeps what it sent until the peer has confirmed it. It may learn that from its link: ask when you need it. */
export function isReplayable(transport: Transport): transport is ReplayableTransport {
  return (transport as Partial<ReplayableTransport>).unacknowledged !== undefined;
}

/** Whether anything arrives: distinguishes a silent peer from a peer that is in the middle of a long message. */
export interface Liveness {
  /** When anything last arrived, in milliseconds of `performance.now()`; undefined before that. */
  readonly lastByteAt: number | undefined;
  /** True while nothing is read because the consumer is slow: this side causes the silence. */
  readonly isPaused: boolean;
}

/** A transport that knows when it last received anything from its peer. Every transport of `defineTransport` does. */
export interface WatchableTransport extends Transport {
  /** When anything last arrived. */
  readonly liveness: Liveness;
}

/** Whether a transport knows when it last received anything from its peer. */
export function isWatchable(transport: Transport): transport is WatchableTransport {
  return (transport as Partial<WatchableTransport>).liveness !== undefined;
}

/** What the worker of a remote session reports to the server in addition to its messages, and what it stores there. */
export interface WorkerLink {
  /** Fulfils with the state that an earlier worker of this session has left; null without such a state. */
  readonly restored: Promise<Readonly<Record<string, unknown>> | null>;
  reportState(state: 'idle' | 'running' | 'requires_action', details?: object): void;
  /** Merges members into the metadata of the session. A member that is null is removed. */
  reportMetadata(patch: Readonly<Record<string, unknown>>): void;
  reportDelivery(uuid: string, state: 'processing' | 'processed'): void;
  readonly internalEvents: {
    append(type: string, payload: unknown, options?: object): void;
    read(scope: 'foreground' | 'subagents'): AsyncIterable<unknown>;
    /** How many appended events the server does not have yet. */
    readonly pending: number;
    flush(): Promise<void>;
  };
}

/** A transport of an agent that is the worker of a remote session. */
export interface WorkerTransport extends Transport {
  /** What the worker reports to the server and stores there. */
  readonly worker: WorkerLink;
}

/** Whether a transport is that of the worker of a remote session. */
export function isWorker(transport: Transport): transport is WorkerTransport {
  return (transport as Partial<WorkerTransport>).worker !== undefined;
}

/**
 * What a transport may have in addition to the contract. Code that creates or wraps transports uses these members; users call the guard of each.
 * A member that is undefined may be defined later: a transport may learn from its link what it has.
 */
export interface TransportExtensions {
  readonly resumption?: Resumption | undefined;
  readonly unacknowledged?: Unacknowledged | undefined;
  readonly worker?: WorkerLink | undefined;
  readonly liveness?: Liveness | undefined;
}

/** The extensions that a driver may have; its transport then has them too. */
export type DriverExtensions = Omit<TransportExtensions, 'liveness'>;
