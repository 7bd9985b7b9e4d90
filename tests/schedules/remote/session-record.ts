import type { Kept, World } from './world.ts';

/** A message that a client was asked to send. */
export interface Said {
  /** The sender: which run of which client. */
  readonly sender: string;
  /** Its place among the messages of the sender; undefined for a message that the server may refuse. */
  readonly n?: number | undefined;
  readonly uuid: string;
  readonly type: string;
  /** The request that the message answers. */
  readonly requestId?: string | undefined;
  /** True if the sender learns whether the server has stored or refused the answer. */
  readonly learnsOutcome?: boolean;
  /** The sender never had the right to send this message. */
  readonly barred?: boolean;
  /** The server has stored or refused the message. */
  outcome?: 'taken' | 'refused';
}

/** An event as a reader received it. */
export interface ReceivedEvent {
  readonly sequence: number;
  readonly uuid: unknown;
  readonly type: string;
}

/** A gap that was reported to a reader. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** One run of a reader: from a cursor until the reader was stopped or the schedule ended. */
export interface Reading {
  readonly name: string;
  readonly kind: 'viewer' | 'own viewer' | 'worker';
  /** The run began after this event. */
  readonly after: number;
  readonly received: ReceivedEvent[];
  readonly gaps: Gap[];
  /** The length of the log when the run began. */
  readonly begun: Promise<number>;
  /** Ids of events whose processing workers had reported when the run began, with an acknowledgement of the report. */
  readonly processedBefore: ReadonlySet<unknown>;
  /** True while the reader is present. A reader that is present at the end must receive everything. */
  live: boolean;
  /** The length of the log when the reader lost the right to read. */
  barredAfter?: number;
}

/** Records what happened in one schedule, for the checks at the end. */
export class SessionRecord {
  readonly said: Said[] = [];
  readonly readings: Reading[] = [];
  /** The workers that claimed the lease, and the length of the log when each worker learned that it has the lease. */
  readonly leases: { readonly epoch: number; readonly logLength: number; readonly reading: Reading }[] = [];
  /** The latest known claim. */
  newestEpoch = 0;
  /** Ids of events that a worker which may have had the lease reported or was about to report as processed, and the ids that the server has noted. */
  readonly processed = new Set<unknown>();
  readonly processedForSure = new Set<unknown>();
  /** The violations found so far, each as a sentence. */
  readonly problems: string[];
  readonly session: string;
  readonly kept: Kept;

  constructor({ kept, problems }: Pick<World, 'kept' | 'problems'>, session: string) {
    this.kept = kept;
    this.problems = problems;
    this.session = session;
  }

  /** Returns the length of the log. */
  last(): Promise<number> {
    return this.kept.last(this.session);
  }

  say(said: Said): Said {
    this.said.push(said);
    return said;
  }

  read(reading: Pick<Reading, 'name' | 'kind' | 'after'>): Reading {
    const processedBefore = new Set(this.processedForSure);
    const one = { ...reading, received: [], gaps: [], live: true, begun: this.last(), processedBefore };
    this.readings.push(one);
    return one;
  }

  /** Notes that a worker has the lease and knows it: an earlier worker must not receive later events. */
  async leased(epoch: number, reading: Reading): Promise<void> {
    this.newestEpoch = Math.max(this.newestEpoch, epoch);
    const logLength = await this.last();
    for (const lease of this.leases) if (lease.epoch < epoch) lease.reading.barredAfter ??= logLength;
    const later = this.leases.find((lease) => lease.epoch > epoch);
    if (later !== undefined) reading.barredAfter ??= later.logLength;
    this.leases.push({ epoch, logLength, reading });
  }
}

/** Creates the permission request of a worker. */
export function permission(requestId: string) {
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: requestId };
  return { type: 'control_request', request_id: requestId, request };
}

/** Creates the answer to a permission request. */
export function answerTo(requestId: string, uuid: string) {
  const response = { subtype: 'success', request_id: requestId, response: { behavior: 'allow', updatedInput: {} } };
  return { type: 'control_response', response, uuid };
}

/** Creates the message by which a client joins. */
export function initialize(requestId: string, uuid: string) {
  return { type: 'control_request', request_id: requestId, request: { subtype: 'initialize' }, uuid };
}

/** Creates the agent's answer to a joining client: a text that identifies the answer, and the open requests. */
export function initialized(requestId: string, mark: string, pending: readonly object[]) {
  const response = {
    subtype: 'success',
    request_id: requestId,
    response: { mark },
    pending_permission_requests: pending,
  };
  return { type: 'control_response', response };
}
