import { isObject } from '@proto/testkit/steps';

import { onceFor } from '../../../once-for.ts';
import { countWhile } from '../../../positions.ts';
import type { Observed, SocketReading, StreamReading } from '../../observed.ts';
import { bySession, type KnownEvent, knownEvents, messagesIn } from '../known-events.ts';
import { receivedBy, type Rule } from '../rule.ts';
import { numbersOf } from '../event-streams/stream-rules.ts';

/**
 * The rules against missing events. A reader alone cannot notice a missing event, because numbers may have gaps. The streams of other readers show
 * which events must exist. Only events before the last event that the reader received count, because later events may not have arrived yet.
 */
export const completeRules: readonly Rule[] = [
  complete('every-event-for-viewers', 'EVS-31', (reading, known) =>
    reading.kind === 'stream' && !reading.isWorker ? missingNumbers(reading, known.forViewers) : [],
  ),
  complete('every-prompt-for-workers', 'REM-26', (reading, known, observed) =>
    reading.isWorker && !isPartial(reading, observed) ? missing(reading, known.promptsForWorkers) : [],
  ),
  complete('every-control-message-for-workers', 'REM-53', (reading, known, observed) =>
    // Open requests are sent again before events that an earlier socket has proved, which are not sent again.
    reading.isWorker && !isPartial(reading, observed) && !followsSocket(reading, observed)
      ? missing(reading, known.controlForWorkers)
      : [],
  ),
  complete('every-message-on-plain-lines', 'WSK-25', (reading, known) =>
    reading.kind === 'socket' && !reading.isWorker && !reading.isNumbered ? missingLines(reading, known.forLines) : [],
  ),
  complete('first-messages-on-plain-lines', 'WSK-27', (reading, known) =>
    reading.kind === 'socket' && !reading.isWorker && !reading.isNumbered ? missingBefore(reading, known) : [],
  ),
];

type Reading = Observed['readings'][number];
type Missing = (reading: Reading, known: Wanted, observed: Observed) => readonly KnownEvent[];

/** The events of a session. */
interface Wanted {
  readonly all: Events;
  readonly forViewers: Events;
  readonly promptsForWorkers: Events;
  readonly controlForWorkers: Events;
  readonly forLines: Events;
}

/** Events in the order of their numbers, with the first and the last place of each uuid. */
class Events {
  readonly list: readonly KnownEvent[];
  readonly #places = new Map<unknown, { readonly first: number; last: number }>();

  constructor(list: readonly KnownEvent[]) {
    this.list = list;
    for (const [place, { payload }] of list.entries()) {
      const places = this.#places.get(payload['uuid']) ?? { first: place, last: place };
      places.last = place;
      this.#places.set(payload['uuid'], places);
    }
  }

  /** The events between two numbers. */
  between(after: number, before: number): readonly KnownEvent[] {
    return this.list.slice(
      countWhile(this.list, ({ number }) => number <= after),
      countWhile(this.list, ({ number }) => number < before),
    );
  }

  /** The first and the last place of the events that have one of several uuids. */
  placesOf(uuids: Iterable<unknown>): { readonly first: number; readonly last: number } {
    let [first, last] = [Infinity, 0];
    for (const uuid of uuids) {
      const places = this.#places.get(uuid);
      first = Math.min(first, places?.first ?? Infinity);
      last = Math.max(last, places?.last ?? 0);
    }
    return { first, last };
  }
}

const wantedOf = onceFor((observed: Observed) => bySession((session) => wantedIn(knownEvents(observed, session))));

function wantedIn(events: readonly KnownEvent[]): Wanted {
  // An event without a number is not missing.
  const known = events.filter(({ number }) => !Number.isNaN(number)).toSorted((a, b) => a.number - b.number);
  return {
    all: new Events(known),
    forViewers: new Events(known.filter(({ type, isOfWorker }) => !isOfWorker || type !== 'control_request')),
    promptsForWorkers: new Events(known.filter(({ type, isOfWorker }) => !isOfWorker && type === 'user')),
    controlForWorkers: new Events(known.filter(isForWorkers(known))),
    forLines: new Events(known.filter(({ type, isOfWorker }) => isOfWorker && !type.startsWith('control_'))),
  };
}

function complete(name: string, spec: string, missingOf: Missing): Rule {
  return {
    name,
    spec,
    *check(observed) {
      for (const reading of observed.readings) {
        if (mayMissDeleted(reading, observed)) continue;
        for (const { number, type } of missingOf(reading, wantedOf(observed)(reading.session), observed))
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

function missing(reading: Reading, wanted: Events): readonly KnownEvent[] {
  return reading.kind === 'stream' ? missingNumbers(reading, wanted) : missingLines(reading, wanted);
}

function missingNumbers(reading: StreamReading, wanted: Events): readonly KnownEvent[] {
  const got = new Set(numbersOf(reading));
  const last = Math.max(...got);
  return wanted.between(reading.latest, last).filter(({ number }) => !got.has(number));
}

/** Plain lines have no numbers, so it is not known with which event they begin. */
function missingLines(reading: SocketReading, wanted: Events): readonly KnownEvent[] {
  const got = new Set(messagesIn(reading).map(({ uuid }) => uuid));
  const { first, last } = wanted.placesOf(got);
  return wanted.list.slice(first, last).filter(({ payload }) => !got.has(payload['uuid']));
}

/** The worker's messages between the cursor of a plain socket and the first message that it received. */
function missingBefore(reading: SocketReading, { all, forLines }: Wanted): readonly KnownEvent[] {
  const got = new Set(messagesIn(reading).map(({ uuid }) => uuid));
  const first = all.list[all.placesOf(got).first];
  return first === undefined ? [] : forLines.between(reading.from, first.number);
}

/** Whether a reader may receive only some of the events. A new worker need not receive events that another worker has processed. */
function isPartial(reading: Reading, observed: Observed): boolean {
  const { kind, from, session } = reading;
  if (kind === 'stream' && from > 0) return false;
  // A socket may have proved that a worker has received events.
  if (kind === 'stream' && followsSocket(reading, observed)) return true;
  return hasProcessed(observed)(session);
}

/** Whether a worker had a socket before a reader. */
function followsSocket({ session, opened }: Reading, observed: Observed): boolean {
  return (firstSocketsOfWorkers(observed).get(session) ?? Infinity) < opened;
}

/** When the first socket of a worker was opened, for each session. */
const firstSocketsOfWorkers = onceFor(({ readings }: Observed) => {
  const first = new Map<string, number>();
  for (const { kind, isWorker, session, opened } of readings)
    if (kind === 'socket' && isWorker) first.set(session, Math.min(first.get(session) ?? Infinity, opened));
  return first;
});

/** Whether a worker has reported that it has processed an event of a session. */
const hasProcessed = onceFor(({ exchanges }: Observed) =>
  isNamedIn(
    exchanges.flatMap(({ path, sent }) => (path.endsWith('/delivery') && sent.includes('processed') ? [path] : [])),
  ),
);

/** Returns a function that says whether one of several paths contains the id of a session. */
export function isNamedIn(paths: readonly string[]): (session: string) => boolean {
  return bySession((session) => paths.some((path) => path.includes(session)));
}

/** Whether the server may have deleted events that a reader asked for. A socket does not report this, so the streams of the session show it. */
export function mayMissDeleted(reading: Reading, observed: Observed): boolean {
  return reading.kind === 'stream' ? reportsGap(reading) : sessionsWithGap(observed).has(reading.session);
}

const sessionsWithGap = onceFor(
  ({ readings }: Observed) =>
    new Set(readings.flatMap((reading) => (reading.kind === 'stream' && reportsGap(reading) ? [reading.session] : []))),
);

export function reportsGap({ frames }: StreamReading): boolean {
  return frames.some(
    ({ event, data }) => event === 'catch_up_truncated' || (isObject(data) && data['reason'] !== undefined),
  );
}
