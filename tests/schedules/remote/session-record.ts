import type { Kept, World } from './world.ts';

/** A message that somebody was asked to send. */
export interface Said {
  /** Which life of which client. */
  readonly sender: string;
  /** Its place among what that one said; undefined for what the server may refuse. */
  readonly n?: number | undefined;
  readonly uuid: string;
  readonly type: string;
  /** What it answers. */
  readonly requestId?: string | undefined;
  /** Whether its sender is told what became of the answer. */
  readonly tellsAnswer?: boolean;
  /** Its sender had no right to say it from the beginning. */
  readonly barred?: boolean;
  /** The server has it, or said that it will not take it. */
  outcome?: 'taken' | 'refused';
}

/** An event as it was heard. */
export interface Heard {
  readonly sequence: number;
  readonly uuid: unknown;
  readonly type: string;
}

/** Events that a reader was told are missing. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** One life of somebody who reads: from a cursor on, until it was stopped or the schedule is over. */
export interface Reading {
  readonly name: string;
  readonly kind: 'viewer' | 'own viewer' | 'worker';
  /** It began behind this event. */
  readonly after: number;
  readonly heard: Heard[];
  readonly gaps: Gap[];
  /** What the log had when it began. */
  readonly begun: Promise<number>;
  /** Ids that workers had processed by then, and were told so. */
  readonly processedBefore: ReadonlySet<unknown>;
  /** Whether it has to hear all there is, being there at the end. */
  live: boolean;
  /** What the log had when it lost the right to read. */
  barredBehind?: number;
}

/** What happened in one schedule, and what has to be true of it. */
export class SessionRecord {
  readonly said: Said[] = [];
  readonly readings: Reading[] = [];
  /** Who claimed the lease, and what the log had when it was told so. */
  readonly leases: { readonly epoch: number; readonly behind: number; readonly reading: Reading }[] = [];
  /** The latest of these that is known. */
  newestEpoch = 0;
  /** Ids of what a worker that may have had the lease said it has processed, or was about to, and of those the server has taken note of. */
  readonly processed = new Set<unknown>();
  readonly processedForSure = new Set<unknown>();
  /** What nobody may see. */
  readonly problems: string[];
  readonly session: string;
  readonly kept: Kept;

  constructor({ kept, problems }: Pick<World, 'kept' | 'problems'>, session: string) {
    this.kept = kept;
    this.problems = problems;
    this.session = session;
  }

  /** How far the log is. */
  last(): Promise<number> {
    return this.kept.last(this.session);
  }

  say(said: Said): Said {
    this.said.push(said);
    return said;
  }

  read(reading: Pick<Reading, 'name' | 'kind' | 'after'>): Reading {
    const processedBefore = new Set(this.processedForSure);
    const one = { ...reading, heard: [], gaps: [], live: true, begun: this.last(), processedBefore };
    this.readings.push(one);
    return one;
  }

  /** A worker has the lease, and was told so: whoever had it before hears nothing of what follows. */
  async leased(epoch: number, reading: Reading): Promise<void> {
    this.newestEpoch = Math.max(this.newestEpoch, epoch);
    const behind = await this.last();
    for (const lease of this.leases) if (lease.epoch < epoch) lease.reading.barredBehind ??= behind;
    const later = this.leases.find((lease) => lease.epoch > epoch);
    if (later !== undefined) reading.barredBehind ??= later.behind;
    this.leases.push({ epoch, behind, reading });
  }
}

/** The message of a permission, asked by a worker. */
export function permission(requestId: string) {
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: requestId };
  return { type: 'control_request', request_id: requestId, request };
}

/** The message that answers it. */
export function answerTo(requestId: string, uuid: string) {
  const response = { subtype: 'success', request_id: requestId, response: { behavior: 'allow', updatedInput: {} } };
  return { type: 'control_response', response, uuid };
}

/** The message by which a client joins. */
export function initialize(requestId: string, uuid: string) {
  return { type: 'control_request', request_id: requestId, request: { subtype: 'initialize' }, uuid };
}

/** What an agent answers to it: something to know the answer by, and the requests that it waits for. */
export function initialized(requestId: string, mark: string, pending: readonly object[]) {
  const response = {
    subtype: 'success',
    request_id: requestId,
    response: { mark },
    pending_permission_requests: pending,
  };
  return { type: 'control_response', response };
}
