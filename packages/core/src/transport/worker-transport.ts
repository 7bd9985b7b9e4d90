import type { Transport } from './transport.ts';

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
