import { isObject } from '@proto/testkit/steps';

import type { Observed, SocketReading, StreamReading } from '../../observed.ts';
import { type KnownEvent, knownEvents, messagesOf } from '../known-events.ts';
import { receivedBy, type Rule } from '../rule.ts';
import { numbersOf } from '../event-streams/stream-rules.ts';

/**
 * The rules against missing events. A reader alone cannot notice a missing event, because numbers may have gaps. The streams of other readers show
 * which events must exist. Only events before the last event that the reader received count, because later events may not have arrived yet.
 */
export const completeRules: readonly Rule[] = [
  complete('every-event-for-viewers', 'EVS-31', (reading, known) =>
    reading.kind === 'stream' && !reading.isWorker
      ? missingNumbers(
          reading,
          known.filter(({ type, isOfWorker }) => !isOfWorker || type !== 'control_request'),
        )
      : [],
  ),
  complete('every-prompt-for-workers', 'REM-26', (reading, known, observed) =>
    reading.isWorker && !isPartial(reading, observed)
      ? missing(
          reading,
          known.filter(({ type, isOfWorker }) => !isOfWorker && type === 'user'),
        )
      : [],
  ),
  complete('every-control-message-for-workers', 'REM-53', (reading, known, observed) =>
    reading.isWorker && !isPartial(reading, observed) ? missing(reading, known.filter(isForWorkers(known))) : [],
  ),
  complete('every-message-on-plain-lines', 'WSK-25', (reading, known) =>
    reading.kind === 'socket' && !reading.isWorker && !reading.isNumbered
      ? missingLines(
          reading,
          known.filter(({ type, isOfWorker }) => isOfWorker && !type.startsWith('control_')),
        )
      : [],
  ),
  complete('first-messages-on-plain-lines', 'WSK-27', (reading, known) =>
    reading.kind === 'socket' && !reading.isWorker && !reading.isNumbered ? missingBefore(reading, known) : [],
  ),
];

type Reading = Observed['readings'][number];
type Missing = (reading: Reading, known: readonly KnownEvent[], observed: Observed) => readonly KnownEvent[];

function complete(name: string, spec: string, missingOf: Missing): Rule {
  return {
    name,
    spec,
    *check(observed) {
      for (const reading of observed.readings) {
        if (mayMissDeleted(reading, observed)) continue;
        for (const { number, type } of missingOf(reading, knownEvents(observed, reading.session), observed))
          yield `${receivedBy(reading.party)}later events, but not the event ${number} of the type ${type}.`;
      }
    },
  };
}

/** Control messages from viewers, except requests that are answered or cancelled or that the server answers itself. */
function isForWorkers(known: readonly KnownEvent[]): (event: KnownEvent) => boolean {
  const settled = new Set(
    known.map(({ type, isOfWorker, payload: { response, request_id } }) => {
      if (isOfWorker) return type === 'control_response' && isObject(response) ? response['request_id'] : undefined;
      return type === 'control_cancel_request' ? request_id : undefined;
    }),
  );
  return ({ type, isOfWorker, payload: { request, request_id } }) =>
    !isOfWorker &&
    type.startsWith('control_') &&
    !(isObject(request) && (settled.has(request_id) || request['subtype'] === 'initialize'));
}

function missing(reading: Reading, wanted: readonly KnownEvent[]): readonly KnownEvent[] {
  return reading.kind === 'stream' ? missingNumbers(reading, wanted) : missingLines(reading, wanted);
}

function missingNumbers(reading: StreamReading, wanted: readonly KnownEvent[]): readonly KnownEvent[] {
  const got = new Set(numbersOf(reading));
  const last = Math.max(...got);
  return wanted.filter(({ number }) => number > reading.latest && number < last && !got.has(number));
}

/** Plain lines have no numbers, so it is not known with which event they begin. */
function missingLines({ frames }: SocketReading, wanted: readonly KnownEvent[]): readonly KnownEvent[] {
  const got = new Set(frames.flatMap(({ text }) => messagesOf(text)).map(({ uuid }) => uuid));
  const places = wanted
    .map(({ payload }, place) => (got.has(payload['uuid']) ? place : -1))
    .filter((place) => place !== -1);
  return wanted.slice(Math.min(...places), Math.max(...places, 0)).filter(({ payload }) => !got.has(payload['uuid']));
}

/** The worker's messages between the cursor of a plain socket and the first message that it received. */
function missingBefore({ frames, from }: SocketReading, known: readonly KnownEvent[]): readonly KnownEvent[] {
  const got = new Set(frames.flatMap(({ text }) => messagesOf(text)).map(({ uuid }) => uuid));
  const first = Math.min(...known.filter(({ payload }) => got.has(payload['uuid'])).map(({ number }) => number));
  return known.filter(
    ({ number, type, isOfWorker }) =>
      number > from && number < first && first < Infinity && isOfWorker && !type.startsWith('control_'),
  );
}

/** Whether a reader may receive only some of the events. A new worker need not receive events that another worker has processed. */
function isPartial({ kind, from, session, opened }: Reading, { exchanges, readings }: Observed): boolean {
  if (kind === 'stream' && from > 0) return false;
  // A socket may have proved that a worker has received events.
  const isAfterSocket = (other: Reading) =>
    other.kind === 'socket' && other.isWorker && other.session === session && other.opened < opened;
  if (kind === 'stream' && readings.some(isAfterSocket)) return true;
  return exchanges.some(
    ({ path, sent }) => path.includes(session) && path.endsWith('/delivery') && sent.includes('processed'),
  );
}

/** Whether the server may have deleted events that a reader asked for. A socket does not report this, so the streams of the session show it. */
export function mayMissDeleted(reading: Reading, { readings }: Observed): boolean {
  if (reading.kind === 'stream') return reportsGap(reading);
  return readings.some((other) => other.kind === 'stream' && other.session === reading.session && reportsGap(other));
}

export function reportsGap({ frames }: StreamReading): boolean {
  return frames.some(
    ({ event, data }) => event === 'catch_up_truncated' || (isObject(data) && data['reason'] !== undefined),
  );
}
