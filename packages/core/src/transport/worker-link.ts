/**
 * The duties of a worker of a remote session, as an optional object of a transport: contract point 12 keeps them out
 * of `send` and out of the messages. Only transports in the worker role have it.
 */
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
