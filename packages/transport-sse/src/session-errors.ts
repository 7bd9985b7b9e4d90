import { findError, TransportError } from '@proto/core/transport';

/** Thrown if the server has permanently refused some messages of a `send`. All other messages of that `send` have arrived. */
export class MessagesRefusedError extends TransportError {
  /** Always `rejected`. */
  override readonly code = 'rejected';
  /** The ids of the refused messages, in order. An element is `undefined` for a message without an id. */
  readonly refused: readonly (string | undefined)[];

  constructor(refused: readonly (string | undefined)[], status: number | undefined) {
    const text = `sse: ${refused.length} messages were refused with status ${status}`;
    super('rejected', text, status === undefined ? {} : { status });
    this.refused = refused;
  }

  /** True for a `MessagesRefusedError` from any copy of this package. */
  static override is(value: unknown): value is MessagesRefusedError {
    return TransportError.is(value) && 'refused' in value;
  }

  /** Returns the first `MessagesRefusedError` among the given error and its chain of causes. Checks at most 100 causes. */
  static override find(error: unknown): MessagesRefusedError | undefined {
    return findError(error, MessagesRefusedError.is);
  }
}

const REASONS = ['superseded_by_worker', 'epoch_stale', 'session_not_active', 'organization_moved_away'] as const;

/**
 * Why a worker may no longer act, as reported by the server. `superseded_by_worker`: another worker serves the session · `epoch_stale`: this worker
 * named an epoch that the server never assigned · `session_not_active`: the session was archived · `organization_moved_away`: the session is served
 * elsewhere.
 */
export type ConflictReason = (typeof REASONS)[number];

/** Thrown if the worker has lost its session, because another worker serves the session, or no worker may serve it. */
export class WorkerConflictError extends TransportError {
  /** Always `rejected`. */
  override readonly code = 'rejected';
  /** The reason from the header `x-ccr-conflict-reason` of the answer. */
  readonly reason: ConflictReason;

  constructor(reason: ConflictReason) {
    super('rejected', `sse: the session does not belong to this worker: ${reason}`, { status: 409 });
    this.reason = reason;
  }

  /** True for a `WorkerConflictError` from any copy of this package. */
  static override is(value: unknown): value is WorkerConflictError {
    return TransportError.is(value) && 'reason' in value;
  }

  /** Returns the first `WorkerConflictError` among the given error and its chain of causes. Checks at most 100 causes. */
  static override find(error: unknown): WorkerConflictError | undefined {
    return findError(error, WorkerConflictError.is);
  }
}

/** Returns the error for an answer with status 409. An answer without a known reason means `superseded_by_worker`. */
export function workerConflictOf(headers: { get(name: string): string | null }): WorkerConflictError {
  const given = headers.get('x-ccr-conflict-reason');
  return new WorkerConflictError(REASONS.find((known) => known === given) ?? 'superseded_by_worker');
}
