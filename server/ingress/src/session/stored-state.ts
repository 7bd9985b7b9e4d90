import { isObject, type JsonObject, parseObject } from '../json/values.ts';
import type { EventLog } from '../log/event-log.ts';
import type { ControlRequestsState } from './control-requests.ts';
import type { DeliveryMarksState } from './delivery-marks.ts';
import type { SessionRecord } from './session-context.ts';
import { noLease, type WorkerState } from './worker-lease.ts';

/** The state that results from the events up to a position. The state is stored so that loading does not have to read these events again. */
export interface Checkpoint {
  readonly upTo: number;
  readonly delivery: DeliveryMarksState;
  readonly requests: ControlRequestsState;
  /** The last delivery mark that is part of this state. */
  readonly marks?: number;
}

export interface StoredState {
  readonly record: SessionRecord;
  readonly worker: WorkerState;
  readonly checkpoint?: Checkpoint;
  /** The agent's answer to an `initialize`, as JSON text. */
  readonly initialization?: string;
  /** The ids of the events whose questions have been reported to a webhook. */
  readonly reported: readonly string[];
  /** The names of damaged documents. The state in a damaged document is rebuilt from the events, or starts empty. */
  readonly damaged: readonly string[];
}

/** Reads the documents of a session; undefined if the log has no such session. */
export async function readState(
  { log, now }: { readonly log: EventLog; readonly now: () => number },
  id: string,
): Promise<StoredState | undefined> {
  const damaged: string[] = [];
  const read = async (
    name: string,
  ): Promise<{ readonly text: string; readonly value: JsonObject | undefined } | undefined> => {
    const text = await log.readDocument(id, name);
    if (text === undefined) return undefined;
    const value = parseObject(text);
    if (value === undefined) damaged.push(name);
    return { text, value };
  };
  const session = await read('session');
  if (session === undefined) return undefined;
  const record = { title: '', createdAt: now(), archived: false, ...session.value, id };
  const worker = { ...noLease, ...(await read('worker'))?.value };
  const checkpoint = (await read('checkpoint'))?.value;
  const initialization = await read('initialization');
  const reported = (await read('reported'))?.value?.['events'];
  return {
    record,
    worker,
    damaged,
    reported: Array.isArray(reported) ? reported.filter((id) => typeof id === 'string') : [],
    ...(isCheckpoint(checkpoint) && { checkpoint }),
    ...(initialization?.value && { initialization: initialization.text }),
  };
}

function isCheckpoint(value: JsonObject | undefined): value is JsonObject & Checkpoint {
  return Number.isSafeInteger(value?.['upTo']) && Array.isArray(value?.['delivery']) && isObject(value['requests']);
}
