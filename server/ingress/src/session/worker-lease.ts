import { isObject, type JsonObject } from '../json/values.ts';

/** The state of the worker of a session, as it is stored. */
export interface WorkerState {
  /** Increased each time a worker claims the lease; 0 before the first. */
  readonly epoch: number;
  /** The id of the token that claimed the lease. */
  readonly holder: string;
  /**
   * The node that runs this worker as its own agent; absent for a worker that runs elsewhere. Such a worker keeps its lease when another node takes
   * over the session.
   */
  readonly node?: string | undefined;
  readonly status: string | null;
  readonly requiresActionDetails: unknown;
  readonly externalMetadata: JsonObject;
  readonly internalMetadata: JsonObject;
}

/** Why a worker may not act. These words are on the wire. */
export type Conflict = 'superseded_by_worker' | 'epoch_stale' | 'session_not_active';

/** The state of a session that has never had a worker. */
export const noLease: WorkerState = {
  epoch: 0,
  holder: '',
  status: null,
  requiresActionDetails: null,
  externalMetadata: {},
  internalMetadata: {},
};

/**
 * Returns why a worker with this token and epoch does not have the lease; undefined if the worker has it. Without an epoch, the token alone decides.
 */
export function conflictOf({ epoch, holder }: WorkerState, token: string, claimed?: number): Conflict | undefined {
  if (claimed !== undefined && claimed > epoch) return 'epoch_stale';
  if (claimed !== undefined && claimed < epoch) return 'superseded_by_worker';
  return token === holder ? undefined : 'superseded_by_worker';
}

/**
 * The maximum number of members in each of the two kinds of metadata. Published workers send fewer than ten. All members are written with each
 * report.
 */
const MAX_METADATA_MEMBERS = 32;

/** The maximum length of a stored worker state, as JSON text in UTF-16 units. The limit is needed because each report can make the state larger. */
const MAX_STATE_LENGTH = 16 * 1024 * 1024;

/** Merges a report into the state of a worker. Returns the new state and its JSON text; undefined if the state would be too large. */
export function mergeReport(
  state: WorkerState,
  report: JsonObject,
): { readonly worker: WorkerState; readonly text: string } | undefined {
  const worker = withReport(state, report);
  const metadata = [worker.externalMetadata, worker.internalMetadata];
  if (metadata.some((members) => Object.keys(members).length > MAX_METADATA_MEMBERS)) return undefined;
  const text = JSON.stringify(worker);
  return text.length > MAX_STATE_LENGTH ? undefined : { worker, text };
}

/** Returns the state with a report merged into it. Metadata is merged by top-level member, and null removes a member. */
function withReport(state: WorkerState, report: JsonObject): WorkerState {
  const { worker_status, requires_action_details, external_metadata, internal_metadata } = report;
  return {
    ...state,
    ...(typeof worker_status === 'string' && { status: worker_status }),
    ...(requires_action_details !== undefined && { requiresActionDetails: requires_action_details }),
    externalMetadata: merged(state.externalMetadata, external_metadata),
    internalMetadata: merged(state.internalMetadata, internal_metadata),
  };
}

function merged(members: JsonObject, patch: unknown): JsonObject {
  if (!isObject(patch)) return members;
  // `fromEntries` creates own members whatever their names, so a `__proto__` from outside is just a member.
  const all = new Map([...Object.entries(members), ...Object.entries(patch)]);
  return Object.fromEntries([...all].filter(([, value]) => value !== null));
}
