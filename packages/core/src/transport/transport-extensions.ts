import type { Batch, Cursor, Transport } from './transport.ts';

/** How far the caller has dealt with what came in. */
export interface Resumption {
  /** The last place that was acknowledged: a later transport, also one of another process, goes on after it. */
  readonly cursor: Cursor | undefined;
  /** Everything up to this place is dealt with. An earlier place, or one that never came, changes nothing. */
  acknowledge(cursor: Cursor): void;
}

/** A transport that numbers what it delivers. */
export interface ResumableTransport extends Transport {
  readonly resumption: Resumption;
}

/** Whether a transport numbers what it delivers. It may learn that from its link: ask when you need it. */
export function isResumable(transport: Transport): transport is ResumableTransport {
  return (transport as Partial<ResumableTransport>).resumption !== undefined;
}

/** What a transport keeps of what it sent. */
export interface Retained {
  /**
   * What the peer has not confirmed, in order. Also after the end of the transport, so that another transport can send it again under the
   * same ids.
   */
  batches(): readonly Batch[];
}

/** A transport that keeps what it sent until the peer has confirmed it. */
export interface RetainingTransport extends Transport {
  readonly retained: Retained;
}

/** Whether a transport keeps what it sent until the peer has confirmed it. It may learn that from its link: ask when you need it. */
export function isRetaining(transport: Transport): transport is RetainingTransport {
  return (transport as Partial<RetainingTransport>).retained !== undefined;
}

/** What tells a peer that is silent from a peer that is in the middle of a long message. */
export interface Liveness {
  /** When anything last arrived, on the clock of `performance.now()`. */
  readonly lastByteAt: number | undefined;
  /** True while the consumer is behind and nothing is read: the silence is this side's own. */
  readonly isPaused: boolean;
}

/** A transport that knows when it last heard of its peer. Every transport of `defineTransport` is one. */
export interface WatchableTransport extends Transport {
  readonly liveness: Liveness;
}

/** Whether a transport knows when it last heard of its peer. */
export function isWatchable(transport: Transport): transport is WatchableTransport {
  return (transport as Partial<WatchableTransport>).liveness !== undefined;
}

/** What the worker of a remote session reports to the server beside its messages, and what it keeps there. */
export interface WorkerLink {
  /** State an earlier worker of this session left behind; null where there is none. */
  readonly restored: Promise<Readonly<Record<string, unknown>> | null>;
  reportState(state: 'idle' | 'running' | 'requires_action', details?: object): void;
  /** Merges into the session's metadata; a member set to null is removed. */
  reportMetadata(patch: Readonly<Record<string, unknown>>): void;
  reportDelivery(uuid: string, state: 'processing' | 'processed'): void;
  readonly internalEvents: {
    append(type: string, payload: unknown, options?: object): void;
    read(scope: 'foreground' | 'subagents'): AsyncIterable<unknown>;
    /** How many appended events the far end does not have yet. */
    readonly pending: number;
    flush(): Promise<void>;
  };
}

/** A transport of an agent that is the worker of a remote session. */
export interface WorkerTransport extends Transport {
  readonly worker: WorkerLink;
}

/** Whether a transport is that of the worker of a remote session. */
export function isWorker(transport: Transport): transport is WorkerTransport {
  return (transport as Partial<WorkerTransport>).worker !== undefined;
}

/**
 * What a transport may have beside the contract, for those who make or wrap transports; for users there is a guard for each. A member
 * that is undefined is not there, and may be there later: a transport may learn from its link what it has.
 */
export interface TransportExtensions {
  readonly resumption?: Resumption | undefined;
  readonly retained?: Retained | undefined;
  readonly worker?: WorkerLink | undefined;
  readonly liveness?: Liveness | undefined;
}

/** What a driver may have beside its own members, and its transport then has as well. */
export type DriverExtensions = Omit<TransportExtensions, 'liveness'>;
