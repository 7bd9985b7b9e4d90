import { isObject } from '@proto/testkit/steps';

import type { Observed, StreamReading } from '../../observed.ts';
import { byKeys } from '../../../by-keys.ts';
import { HighestBefore } from '../../../highest-before.ts';
import { onceFor } from '../../../once-for.ts';
import { bySession, knownEvents, messagesOfFrame } from '../known-events.ts';
import { reportsGap } from '../remote-sessions/complete-rules.ts';
import { receivedBy, type Rule } from '../rule.ts';
import { entriesOfCarriers, entriesOfSession, isBefore, type SentEntry } from '../remote-sessions/sent-entries.ts';
import { numbersOf } from '../event-streams/stream-rules.ts';

/** The tolerance for times. A server may round its times to seconds, and its clock may be set while it runs. */
const CLOCK_TOLERANCE_MS = 1500;
const LASTING_OF_VIEWERS = ['user'];
const LASTING_OF_WORKERS = ['user', 'assistant', 'system', 'result'];

type Reading = Observed['readings'][number];

/**
 * The rules about accepted messages: each of them must be in the log, before everything that was sent later. Only messages that were sent once count,
 * because a repetition may arrive at any time.
 */
export const orderRules: readonly Rule[] = [
  {
    name: 'taken-is-in-the-log',
    spec: 'RES-1',
    *check(observed) {
      for (const reading of observed.readings) {
        if (reading.kind !== 'stream' || reading.isWorker || reading.from > 0 || reportsGap(reading)) continue;
        const got = new Set(payloadsOf(reading).map(({ uuid }) => uuid));
        const entries = entriesOfSession(observed, reading.session);
        const later = entries.findLast((entry) => entry.times === 1 && got.has(entry.uuid));
        for (const entry of entries)
          if (later !== undefined && isBefore(entry, later) && !got.has(entry.uuid) && hasToBeStored(entry, observed))
            yield `${receivedBy(reading.party)}later messages, but not the ${String(entry.payload['type'])} ${entry.uuid}, which the server accepted.`;
      }
    },
  },
  {
    name: 'lines-become-events',
    spec: 'WSK-2',
    *check(observed) {
      for (const reading of observed.readings) {
        if (reading.kind !== 'socket' || reading.isNumbered) continue;
        const numbers = numbersByUuid(observed, reading.session);
        const lines = entriesOfCarriers(observed).get(reading) ?? [];
        const first = lines.findIndex(({ payload }) => payload['type'] === 'auth') + 1;
        // The rights of a viewer are unknown, but a viewer whose message of a type was stored may send this type.
        const kindOf = ({ isOfWorker, payload: { type } }: SentEntry) => (isOfWorker ? 'worker' : type);
        const lasts = new Map(lines.flatMap((entry, at) => (numbers.has(entry.uuid) ? [[kindOf(entry), at]] : [])));
        const lost = lines
          .slice(first)
          .find(
            (entry, at) => isLasting(entry) && !numbers.has(entry.uuid) && first + at < (lasts.get(kindOf(entry)) ?? 0),
          );
        if (lost !== undefined)
          yield `A later line from "${reading.party}" became an event, but the message ${lost.uuid} did not.`;
      }
    },
  },
  {
    name: 'nothing-before-auth',
    spec: 'WSK-57',
    *check(observed) {
      for (const reading of observed.readings) {
        if (reading.kind !== 'socket') continue;
        const numbers = numbersByUuid(observed, reading.session);
        const lines = entriesOfCarriers(observed).get(reading) ?? [];
        const auth = lines.findIndex(({ payload }) => payload['type'] === 'auth' && isObject(payload['credential']));
        const stored = lines.slice(0, Math.max(auth, 0)).find(({ uuid, times }) => times === 1 && numbers.has(uuid));
        if (stored !== undefined)
          yield `The message ${stored.uuid} was sent by "${reading.party}" before its auth line, but became an event.`;
      }
    },
  },
  {
    name: 'times-of-storing',
    spec: 'REM-8',
    *check(observed) {
      for (const session of observed.sessions) {
        const times = new Map(
          knownEvents(observed, session).map(({ payload, created_at }) => [payload['uuid'], Date.parse(created_at)]),
        );
        const events = entriesOfSession(observed, session).flatMap((entry) => {
          const time = entry.times === 1 ? times.get(entry.uuid) : undefined;
          return time === undefined || entry.ended === Infinity ? [] : [{ ...entry, time }];
        });
        // Each event limits the difference between the server's clock and the suite's clock. The difference must lie between these two values.
        const least = Math.max(...events.map(({ time, ended }) => time - ended));
        const most = Math.min(...events.map(({ time, began }) => time - began));
        if (least > most + CLOCK_TOLERANCE_MS)
          yield 'The times in created_at do not match the times at which the events were sent: the intervals between them are longer or shorter.';
      }
    },
  },
  inOrder('order-of-a-sender', 'RES-27', true),
  inOrder('stored-before-the-answer', 'RES-1', false),
];

/** Creates a rule for two messages, both from one side or from the two sides, of which one was sent and accepted before the other. */
function inOrder(name: string, spec: string, areOfOneSide: boolean): Rule {
  const applies = (one: SentEntry, other: SentEntry) => (one.isOfWorker === other.isOfWorker) === areOfOneSide;
  return {
    name,
    spec,
    *check(observed) {
      for (const session of observed.sessions) {
        const numbers = numbersByUuid(observed, session);
        const placed = entriesOfSession(observed, session).filter(
          (entry) => entry.times === 1 && numbers.has(entry.uuid),
        );
        const numberOf = ({ uuid }: SentEntry) => numbers.get(uuid) ?? 0;
        const earlier = new EarlierNumbers(placed, numberOf);
        for (const [at, entry] of placed.entries()) {
          const highest = earlier.highestBefore(entry, areOfOneSide ? entry.isOfWorker : !entry.isOfWorker);
          earlier.add(entry);
          if (highest <= numberOf(entry)) continue;
          const wrong = placed
            .slice(0, at)
            .find((other) => numberOf(other) > numberOf(entry) && applies(other, entry) && isBefore(other, entry));
          if (wrong !== undefined) yield `The event ${numberOf(wrong)} was sent before the event ${numberOf(entry)}.`;
        }
      }
    },
  };
}

/** The numbers of messages, so that not each message has to be compared with each one that was sent before it. */
class EarlierNumbers {
  readonly #numberOf: (entry: SentEntry) => number;
  /** By the ends of the requests, of viewers and of workers. */
  readonly #byEnd: ReadonlyMap<boolean, HighestBefore>;
  /** The highest numbers of the carriers so far, of viewers and of workers. */
  readonly #ofCarriers = new Map<boolean, Map<unknown, number>>([
    [false, new Map()],
    [true, new Map()],
  ]);

  constructor(entries: readonly SentEntry[], numberOf: (entry: SentEntry) => number) {
    this.#numberOf = numberOf;
    const numbered = entries.filter((entry) => !Number.isNaN(numberOf(entry)));
    const ofSide = (side: boolean) => numbered.filter(({ isOfWorker }) => isOfWorker === side);
    const valuesOf = (side: boolean) => ofSide(side).map((entry) => ({ at: entry.ended, value: numberOf(entry) }));
    this.#byEnd = new Map([false, true].map((side) => [side, new HighestBefore(valuesOf(side))]));
  }

  add(entry: SentEntry): void {
    const numbers = this.#ofCarriers.get(entry.isOfWorker);
    const number = this.#numberOf(entry);
    if (!Number.isNaN(number)) numbers?.set(entry.carrier, Math.max(numbers.get(entry.carrier) ?? -Infinity, number));
  }

  /** Returns a number that is at least as high as those of the messages of one side that were certainly sent before a message. */
  highestBefore({ began, carrier }: SentEntry, isOfWorker: boolean): number {
    const ofCarrier = this.#ofCarriers.get(isOfWorker)?.get(carrier) ?? -Infinity;
    return Math.max(ofCarrier, this.#byEnd.get(isOfWorker)?.of(began) ?? -Infinity);
  }
}

/** Answered or cancelled requests, and answers, may be missing. */
function hasToBeStored(entry: SentEntry, observed: Observed): boolean {
  const { payload, uuid, isTaken, isEphemeral, isOfWorker } = entry;
  const { type, request } = payload;
  if (!isTaken || isEphemeral || uuid === '' || typeof type !== 'string' || type === '' || type === 'keep_alive')
    return false;
  if (type === 'control_response') return isOfWorker;
  if (type !== 'control_request') return true;
  return isOfWorker ? !isSettled(entry, observed) : isObject(request) && request['subtype'] !== 'initialize';
}

/** Whether a message must become an event, whatever was sent before it. */
function isLasting({ payload: { type }, uuid, isOfWorker }: SentEntry): boolean {
  return uuid !== '' && (isOfWorker ? LASTING_OF_WORKERS : LASTING_OF_VIEWERS).includes(String(type));
}

/**
 * Whether a viewer may have answered a request of the worker, or the worker may have cancelled the request. What was sent before the request belongs to
 * an earlier request with the same id, unless the request was sent more than once.
 */
export function isSettled(asked: SentEntry, observed: Observed): boolean {
  const ends = endsOfRequests(observed)(asked.session).get(asked.payload['request_id']) ?? [];
  return ends.some((entry) => !wasRefused(entry) && (asked.times > 1 || !isBefore(entry, asked)));
}

/** Whether the answer to a POST refused the message for good, so that it has no effect. */
function wasRefused({ isTaken, carrier }: SentEntry): boolean {
  return !isTaken && carrier !== undefined && 'status' in carrier && carrier.status < 500;
}

/** For each id of a request of the worker, the messages that end the request: answers of viewers, and cancels of the worker. */
export const endsOfRequests = onceFor((observed: Observed) =>
  bySession((session) => byKeys(entriesOfSession(observed, session), idsOfEndedRequests)),
);

function idsOfEndedRequests({
  isOfWorker,
  payload: { type, request_id: id, response },
}: SentEntry): readonly unknown[] {
  if (isOfWorker) return type === 'control_cancel_request' ? [id] : [];
  return type === 'control_response' && isObject(response) ? [response['request_id']] : [];
}

function payloadsOf({ frames }: StreamReading): readonly Readonly<Record<string, unknown>>[] {
  return frames.flatMap(({ event, data }) =>
    event === 'client_event' && isObject(data) && isObject(data['payload']) ? [data['payload']] : [],
  );
}

export function numbersByUuid(observed: Observed, session: string): ReadonlyMap<unknown, number> {
  return numbersOfSessions(observed)(session);
}

const numbersOfSessions = onceFor((observed: Observed) =>
  bySession(
    (session) => new Map(knownEvents(observed, session).map(({ payload, number }) => [payload['uuid'], number])),
  ),
);

/** Whether a viewer was at the end of the log at a given time, because it had received the last event before that time. */
export function isAtTheEnd(reading: Reading, time: number, observed: Observed): boolean {
  const { first, numbers } = progressOf(observed)(reading);
  const last = Math.max(0, storedNumbers(observed)(reading.session).of(time));
  return first < time && Math.max(reading.from, numbers.of(time)) >= last;
}

/** The numbers of the events of a session, by the times at which they were sent. */
const storedNumbers = onceFor((observed: Observed) =>
  bySession((session) => {
    const numbers = numbersByUuid(observed, session);
    const entries = entriesOfSession(observed, session);
    return new HighestBefore(entries.map(({ began, uuid }) => ({ at: began, value: numbers.get(uuid) ?? 0 })));
  }),
);

/** When a reader received its first frame, and each number. Plain lines have no numbers, but other readers show the numbers of their messages. */
const progressOf = onceFor((observed: Observed) =>
  onceFor((reading: Reading) => {
    const known = numbersByUuid(observed, reading.session);
    const received =
      reading.kind === 'stream'
        ? reading.frames.flatMap((frame) =>
            numbersOf({ ...reading, frames: [frame] }).map((value) => ({ at: frame.at, value })),
          )
        : reading.frames.flatMap((frame) =>
            messagesOfFrame(frame).map(({ uuid }) => ({ at: frame.at, value: known.get(String(uuid)) ?? 0 })),
          );
    const frames: readonly { readonly at: number }[] = reading.frames;
    return {
      first: frames.reduce((first, { at }) => Math.min(first, at), Infinity),
      numbers: new HighestBefore(received),
    };
  }),
);
