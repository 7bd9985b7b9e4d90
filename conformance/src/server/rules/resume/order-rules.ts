import { isObject } from '@proto/testkit/steps';

import type { Observed, StreamReading } from '../../observed.ts';
import { knownEvents } from '../known-events.ts';
import { reportsGap } from '../remote-sessions/complete-rules.ts';
import { receivedBy, type Rule } from '../rule.ts';
import { isBefore, type SentEntry, sentEntries } from '../remote-sessions/sent-entries.ts';
import { numbersOf } from '../event-streams/stream-rules.ts';

/** The tolerance for times. A server may round its times to seconds, and its clock may be set while it runs. */
const CLOCK_TOLERANCE_MS = 1500;
const LASTING_OF_VIEWERS = ['user'];
const LASTING_OF_WORKERS = ['user', 'assistant', 'system', 'result'];

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
        const entries = sentEntries(observed).filter(({ session }) => session === reading.session);
        const later = entries.findLast((entry) => entry.times === 1 && got.has(entry.uuid));
        for (const entry of entries)
          if (later !== undefined && isBefore(entry, later) && hasToBeStored(entry, entries) && !got.has(entry.uuid))
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
        const lines = sentEntries(observed).filter(({ carrier }) => carrier === reading);
        const first = lines.findIndex(({ payload }) => payload['type'] === 'auth') + 1;
        const last = lines.findLastIndex(({ uuid }) => numbers.has(uuid));
        const lost = lines
          .slice(first, Math.max(last, 0))
          .find((entry) => isLasting(entry) && !numbers.has(entry.uuid));
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
        const lines = sentEntries(observed).filter(({ carrier }) => carrier === reading);
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
        const events = sentEntries(observed).flatMap((entry) => {
          const time = entry.session === session && entry.times === 1 ? times.get(entry.uuid) : undefined;
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
  inOrder('order-of-a-sender', 'RES-27', (one, other) => one.isOfWorker === other.isOfWorker),
  inOrder('stored-before-the-answer', 'RES-1', (one, other) => one.isOfWorker !== other.isOfWorker),
];

/** Creates a rule for two messages of which one was sent and accepted before the other. */
function inOrder(name: string, spec: string, applies: (one: SentEntry, other: SentEntry) => boolean): Rule {
  return {
    name,
    spec,
    *check(observed) {
      for (const session of observed.sessions) {
        const numbers = numbersByUuid(observed, session);
        const placed = sentEntries(observed).filter(
          (entry) => entry.session === session && entry.times === 1 && numbers.has(entry.uuid),
        );
        const numberOf = ({ uuid }: SentEntry) => numbers.get(uuid) ?? 0;
        for (const [at, entry] of placed.entries()) {
          const wrong = placed
            .slice(0, at)
            .find(
              (earlier) => numberOf(earlier) > numberOf(entry) && applies(earlier, entry) && isBefore(earlier, entry),
            );
          if (wrong !== undefined) yield `The event ${numberOf(wrong)} was sent before the event ${numberOf(entry)}.`;
        }
      }
    },
  };
}

/** Answered or cancelled requests, and answers, may be missing. */
function hasToBeStored(entry: SentEntry, all: readonly SentEntry[]): boolean {
  const { payload, uuid, isTaken, isEphemeral, isOfWorker } = entry;
  const { type, request } = payload;
  if (!isTaken || isEphemeral || uuid === '' || typeof type !== 'string' || type === '' || type === 'keep_alive')
    return false;
  if (type === 'control_response') return isOfWorker;
  if (type !== 'control_request') return true;
  return isOfWorker ? !isSettled(entry, all) : isObject(request) && request['subtype'] !== 'initialize';
}

/** Whether a message must become an event, whatever was sent before it. */
function isLasting({ payload: { type }, uuid, isOfWorker }: SentEntry): boolean {
  return uuid !== '' && (isOfWorker ? LASTING_OF_WORKERS : LASTING_OF_VIEWERS).includes(String(type));
}

/**
 * Whether a viewer may have answered a request of the worker, or the worker may have cancelled the request. What was sent before the request belongs to
 * an earlier request with the same id, unless the request was sent more than once.
 */
export function isSettled(asked: SentEntry, all: readonly SentEntry[]): boolean {
  const id = asked.payload['request_id'];
  return all.some((entry) => {
    const { type, request_id, response } = entry.payload;
    const names = entry.isOfWorker
      ? type === 'control_cancel_request' && request_id === id
      : type === 'control_response' && isObject(response) && response['request_id'] === id;
    return names && (asked.times > 1 || !isBefore(entry, asked));
  });
}

function payloadsOf({ frames }: StreamReading): readonly Readonly<Record<string, unknown>>[] {
  return frames.flatMap(({ event, data }) =>
    event === 'client_event' && isObject(data) && isObject(data['payload']) ? [data['payload']] : [],
  );
}

export function numbersByUuid(observed: Observed, session: string): ReadonlyMap<unknown, number> {
  return new Map(knownEvents(observed, session).map(({ payload, number }) => [payload['uuid'], number]));
}

/** Whether a viewer was at the end of the log at a given time, because it had received the last event before that time. */
export function isAtTheEnd(reading: StreamReading, time: number, observed: Observed): boolean {
  const numbers = numbersByUuid(observed, reading.session);
  const stored = sentEntries(observed).filter(({ session, began }) => session === reading.session && began < time);
  const last = Math.max(0, ...stored.map(({ uuid }) => numbers.get(uuid) ?? 0));
  const before = { ...reading, frames: reading.frames.filter(({ at }) => at < time) };
  return before.frames.length > 0 && Math.max(reading.from, ...numbersOf(before)) >= last;
}
