import { TransportError } from '@proto/core/transport';

const REASONS = ['superseded_by_worker', 'epoch_stale', 'session_not_active', 'organization_moved_away'] as const;

/** Why a worker may not act any more; words of the server. */
export type ConflictReason = (typeof REASONS)[number];

/** Another worker has the session, or nobody may have it. */
export interface WorkerConflict extends TransportError {
  readonly code: 'rejected';
  readonly reason: ConflictReason;
}

/** The error, if it says that a worker has lost its session. */
export function asWorkerConflict(value: unknown): WorkerConflict | undefined {
  return TransportError.is(value) && 'reason' in value ? (value as WorkerConflict) : undefined;
}

/** The error that an answer with 409 is. One without a known reason comes from a server that knows a single one. */
export function conflictOf(headers: { get(name: string): string | null }): WorkerConflict {
  const given = headers.get('x-ccr-conflict-reason');
  const reason = REASONS.find((known) => known === given) ?? 'superseded_by_worker';
  const error = new TransportError('rejected', `sse: the session is not this worker's: ${reason}`, { status: 409 });
  return Object.assign(error, { reason }) as WorkerConflict;
}
