import type { Batch, Cursor, Transport } from './transport.ts';

/** The caller's progress in processing the messages that arrived. */
export interface Resumption {
  /** The last acknowledged place. A later transport, even in another process, can continue after this place. */
  readonly cursor: Cursor | undefined;
  /** Acknowledges everything up to a place. An earlier or an unknown place changes nothing. */
  acknowledge(cursor: Cursor): void;
}

/** A transport that numbers the messages that it delivers. */
export interface ResumableTransport extends Transport {
  /** The caller's progress in processing the messages that arrived. */
  readonly resumption: Resumption;
}

/** Whether a transport numbers the messages that it delivers. The result may depend on the link, so call this function each time you need it. */
export function isResumable(transport: Transport): transport is ResumableTransport {
  return (transport as Partial<ResumableTransport>).resumption !== undefined;
}

/** The messages that a transport keeps until the peer has confirmed them. */
export interface Unacknowledged {
  /**
   * Returns the batches that the peer has not confirmed, in order. This also works after the end of the transport, so that another transport can send
   * them again under the same ids.
   */
  batches(): readonly Batch[];
}

/** A transport that keeps sent messages until the peer has confirmed them. */
export interface ReplayableTransport extends Transport {
  /** The messages that were sent but are not confirmed. */
  readonly unacknowledged: Unacknowledged;
}

/**
 * Whether a transport keeps sent messages until the peer has confirmed them. The result may depend on the link, so call this function each time you
 * need it.
 */
export function isReplayable(transport: Transport): transport is ReplayableTransport {
  return (transport as Partial<ReplayableTransport>).unacknowledged !== undefined;
}

/** Shows whether anything is arriving, to distinguish a silent peer from a peer that is in the middle of a long message. */
export interface Liveness {
  /** When anything last arrived, in milliseconds of `performance.now()`. Undefined if nothing has arrived yet. */
  readonly lastByteAt: number | undefined;
  /** True while this side reads nothing because the consumer is slow, so that this side causes the silence. */
  readonly isPaused: boolean;
}

/** A transport that knows when it last received anything from its peer, as every transport created by `defineTransport` does. */
export interface WatchableTransport extends Transport {
  /** Shows when anything last arrived. */
  readonly liveness: Liveness;
}

/** Whether a transport knows when it last received anything from its peer. */
export function isWatchable(transport: Transport): transport is WatchableTransport {
  return (transport as Partial<WatchableTransport>).liveness !== undefined;
}

/**
 * The reports that the worker of a remote session sends to the server in addition to its messages, and the data that the worker stores on the server.
 */
export interface WorkerLink {
  /** Fulfils with the state that an earlier worker of this session has saved, or with `null` if no state was saved. */
  readonly restored: Promise<Readonly<Record<string, unknown>> | null>;
  reportState(state: 'idle' | 'running' | 'requires_action', details?: object): void;
  /** Merges members into the metadata of the session. A member that is `null` is removed. */
  reportMetadata(patch: Readonly<Record<string, unknown>>): void;
  reportDelivery(uuid: string, state: 'processing' | 'processed'): void;
  readonly internalEvents: {
    append(type: string, payload: unknown, options?: object): void;
    read(scope: 'foreground' | 'subagents'): AsyncIterable<unknown>;
    /** How many appended events the server has not received yet. */
    readonly pending: number;
    flush(): Promise<void>;
  };
}

/** The transport of an agent that is the worker of a remote session. */
export interface WorkerTransport extends Transport {
  /** The worker's reports to the server, and the data that the worker stores on the server. */
  readonly worker: WorkerLink;
}

/** Whether a transport belongs to the worker of a remote session. */
export function isWorker(transport: Transport): transport is WorkerTransport {
  return (transport as Partial<WorkerTransport>).worker !== undefined;
}

/**
 * The members that a transport may have in addition to the contract. Code that creates or wraps transports uses these members. All other code calls
 * the guard for each member, such as `isResumable`. A member that is `undefined` may be defined later, because it may depend on the transport's link.
 */
export interface TransportExtensions {
  readonly resumption?: Resumption | undefined;
  readonly unacknowledged?: Unacknowledged | undefined;
  readonly worker?: WorkerLink | undefined;
  readonly liveness?: Liveness | undefined;
}

/** The extensions that a driver may have. The driver's transport has the same extensions. */
export type DriverExtensions = Omit<TransportExtensions, 'liveness'>;
