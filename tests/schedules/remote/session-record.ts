import type { EventLog } from '@proto/ingress';

/** A message that somebody was asked to send. */
export interface Said {
  /** Which life of which client. */
  readonly sender: string;
  /** Its place among what that one said; undefined for what the server may refuse. */
  readonly n?: number;
  readonly uuid: string;
  readonly type: string;
  /** What it answers. */
  readonly requestId?: string;
  /** Whether its sender is told what became of the answer. */
  readonly tellsAnswer?: boolean;
  /** The server has it, or said that it will not take it. */
  outcome?: 'taken' | 'refused';
}

/** An event as it was heard. */
export interface Heard {
  readonly sequence: number;
  readonly uuid: unknown;
  readonly type: string;
}

/** One life of somebody who reads: from a cursor on, until it was stopped or the schedule is over. */
export interface Reading {
  readonly name: string;
  readonly kind: 'viewer' | 'own viewer' | 'worker';
  /** It began behind this event. */
  readonly after: number;
  readonly heard: Heard[];
  /** What the log had when it began. */
  readonly begun: Promise<{ readonly last: number }>;
  /** Ids that workers had processed by then, and were told so. */
  readonly processedBefore: ReadonlySet<unknown>;
  /** Whether it has to hear all there is, being there at the end. */
  live: boolean;
}

/** What happened in one schedule, and what has to be true of it. */
export class SessionRecord {
  readonly said: Said[] = [];
  readonly readings: Reading[] = [];
  /** Who took the seat, and what the log had when it was told so. */
  readonly seats: { readonly epoch: number; readonly behind: number }[] = [];
  /** Ids of what a worker said it has processed, or was about to, and of those the server has taken note of. */
  readonly processed = new Set<unknown>();
  readonly processedForSure = new Set<unknown>();
  /** What nobody may see. */
  readonly problems: string[] = [];

  readonly #log: EventLog;
  readonly #session: string;

  constructor(log: EventLog, session: string) {
    this.#log = log;
    this.#session = session;
  }

  /** How far the log is. */
  last(): Promise<{ readonly last: number }> {
    return this.#log.read(this.#session, 0, { maxEvents: 1 });
  }

  say(said: Said): Said {
    this.said.push(said);
    return said;
  }

  read(reading: Pick<Reading, 'name' | 'kind' | 'after'>): Reading {
    const processedBefore = new Set(this.processedForSure);
    const one = { ...reading, heard: [], live: true, begun: this.last(), processedBefore };
    this.readings.push(one);
    return one;
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
