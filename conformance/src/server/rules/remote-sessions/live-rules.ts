import { isObject } from '@proto/testkit/steps';

import type { Exchange, Observed, StreamReading } from '../../observed.ts';
import { jsonOf, knownEvents, messagesIn } from '../known-events.ts';
import { isAtTheEnd } from '../resume/order-rules.ts';
import { receivedBy, type Rule } from '../rule.ts';
import { isBefore, type SentEntry, sentEntries } from './sent-entries.ts';

const RANKS: readonly unknown[] = ['received', 'processing', 'processed'];

/**
 * The rules about what viewers receive while they are connected. A rule checks a viewer that had received all earlier events when a message was sent,
 * and that has since received an event that was sent later.
 */
export const liveRules: readonly Rule[] = [
  {
    name: 'increments-for-each-viewer',
    spec: 'REM-18',
    *check(observed) {
      for (const reading of viewersOf(observed)) {
        const got = new Set(itemsOf(reading).map(({ uuid }) => uuid));
        const all = sentEntries(observed);
        for (const entry of all) {
          const { session, isEphemeral, isTaken, uuid, payload, began, ended, carrier, place } = entry;
          // A viewer that still has to receive an earlier message of the same request is not at the end of the log.
          const follows = (other: SentEntry) => other.carrier === carrier && other.place < place && !other.isEphemeral;
          if (
            !isEphemeral ||
            !isTaken ||
            uuid === '' ||
            session !== reading.session ||
            payload['type'] === 'keep_alive' ||
            all.some(follows)
          )
            continue;
          if (!got.has(uuid) && isLive(reading, began, ended, observed))
            yield `${receivedBy(reading.party)}the messages before and after the ephemeral message ${uuid}, but not this message.`;
        }
      }
    },
  },
  inTheirPlace('increments-in-their-place', 'REM-20', () => true),
  inTheirPlace('increments-in-their-place-on-lines', 'WSK-25', ({ kind }) => kind === 'socket'),
  {
    name: 'marks-for-each-viewer',
    spec: 'REM-43',
    *check(observed) {
      for (const reading of viewersOf(observed)) {
        // A server may forget the events that a worker has received over a socket, so only events that were sent after the last one are checked.
        const lastSocket = Math.max(
          ...observed.readings.map(({ kind, isWorker, session, closed = Infinity }) =>
            kind === 'socket' && isWorker && session === reading.session ? closed : 0,
          ),
        );
        const sentAt = new Map(sentEntries(observed).map(({ uuid, began }) => [uuid, began]));
        // A worker marks what it has received, which are the events of viewers.
        const received = new Set(
          knownEvents(observed, reading.session).flatMap(({ isOfWorker, payload: { uuid } }) =>
            isOfWorker || (sentAt.get(String(uuid)) ?? 0) < lastSocket ? [] : [uuid],
          ),
        );
        const reported = newsOf(reading, 'delivery_update').map(
          (data) => `${String(data['event_id'])} ${String(data['status'])}`,
        );
        const highest = new Map<unknown, number>();
        for (const exchange of observed.exchanges) {
          for (const [id, rank] of marksIn(exchange, reading.session)) {
            const isNew = rank > (highest.get(id) ?? -1) && received.has(id);
            highest.set(id, Math.max(rank, highest.get(id) ?? -1));
            const status = `${String(id)} DELIVERY_STATUS_${String(RANKS[rank]).toUpperCase()}`;
            if (isNew && !reported.includes(status) && isLive(reading, exchange.began, exchange.ended, observed))
              yield `${receivedBy(reading.party)}later events, but not the mark ${status}.`;
          }
        }
      }
    },
  },
  {
    name: 'resolved-as-it-was',
    spec: 'REM-38',
    *check(observed) {
      for (const reading of viewersOf(observed)) {
        const sent = sentEntries(observed).filter(({ session }) => session === reading.session);
        const reported = new Map<unknown, number>();
        for (const { request_id, outcome } of newsOf(reading, 'control_resolved')) {
          const times = (reported.get(request_id) ?? 0) + 1;
          reported.set(request_id, times);
          const asked = sent.filter(
            (entry) => isRequestOfWorker(entry) && entry.payload['request_id'] === request_id,
          ).length;
          // A viewer's request is covered by another rule.
          if (asked === 0) continue;
          const isSo = sent.some((entry) => ends(entry, request_id, outcome));
          if (!isSo || times > asked)
            yield `${receivedBy(reading.party)}the report that the request ${String(request_id)} was ${String(outcome)}, ${isSo ? 'more times than expected' : 'although no party did this'}.`;
        }
      }
    },
  },
  {
    name: 'resolved-of-the-worker',
    spec: 'REM-57',
    *check(observed) {
      for (const reading of viewersOf(observed)) {
        const asked = sentEntries(observed).filter(
          (entry) => entry.session === reading.session && isRequestOfWorker(entry),
        );
        for (const { request_id: id, by, outcome } of newsOf(reading, 'control_resolved')) {
          if (!asked.some(({ payload }) => payload['request_id'] === id))
            yield `${receivedBy(reading.party)}a report about the request ${String(id)}, which the worker did not make.`;
          // Only viewers answer the worker's requests, and only the worker cancels them.
          else if ((outcome === 'answered') === (by === 'worker'))
            yield `${receivedBy(reading.party)}the report that the worker's request ${String(id)} was ${String(outcome)} by ${String(by)}; only viewers answer such a request, and only the worker cancels it.`;
        }
      }
    },
  },
  {
    name: 'subscribers',
    spec: 'EVS-58',
    *check({ exchanges, readings }) {
      for (const { path, body, began, ended } of exchanges) {
        const session = /([^/]+)\/worker\/events$/.exec(path)?.[1];
        const said = isObject(body) ? body['has_subscribers'] : undefined;
        const viewers = readings.filter((reading) => reading.session === session && !reading.isWorker);
        const isRead = viewers.some(
          ({ frames, closed = Infinity }) => closed > ended && frames.some(({ at }) => at < began),
        );
        if (said === false && isRead)
          yield `An answer to POST ${path} says that the session has no subscribers, although a viewer is reading.`;
        if (said === true && !viewers.some(({ opened }) => opened < ended))
          yield `An answer to POST ${path} says that the session has subscribers, although no viewer has read.`;
      }
    },
  },
];

function inTheirPlace(name: string, spec: string, applies: (reading: Observed['readings'][number]) => boolean): Rule {
  return {
    name,
    spec,
    *check(observed) {
      const once = sentEntries(observed).filter(
        ({ isOfWorker, times, uuid }) => isOfWorker && times === 1 && uuid !== '',
      );
      for (const reading of observed.readings.filter((each) => !each.isWorker && applies(each))) {
        const byUuid = new Map(
          once.filter(({ session }) => session === reading.session).map((each) => [each.uuid, each]),
        );
        let last: SentEntry | undefined;
        for (const { uuid } of messagesIn(reading)) {
          const entry = byUuid.get(String(uuid));
          if (
            last !== undefined &&
            entry !== undefined &&
            (last.isEphemeral || entry.isEphemeral) &&
            isBefore(entry, last)
          )
            yield `${receivedBy(reading.party)}the message ${last.uuid} before ${entry.uuid}, which was sent earlier.`;
          last = entry ?? last;
        }
      }
    },
  };
}

function isRequestOfWorker({ payload, isOfWorker }: SentEntry): boolean {
  return isOfWorker && payload['type'] === 'control_request';
}

/** Whether a message ends a worker's request: an answer from a viewer, or a cancel from the worker. */
function ends({ payload: { type, request_id, response }, isOfWorker }: SentEntry, id: unknown, way: unknown) {
  if (way === 'cancelled') return type === 'control_cancel_request' && isOfWorker && request_id === id;
  return type === 'control_response' && !isOfWorker && isObject(response) && response['request_id'] === id;
}

function viewersOf({ readings }: Observed): readonly StreamReading[] {
  return readings.filter((reading): reading is StreamReading => reading.kind === 'stream' && !reading.isWorker);
}

/** The messages of a stream in their order, durable and ephemeral. */
function itemsOf({ frames }: StreamReading): readonly Readonly<Record<string, unknown>>[] {
  return frames.flatMap(({ data }) => (isObject(data) && isObject(data['payload']) ? [data['payload']] : []));
}

function newsOf({ frames }: StreamReading, name: string): readonly Readonly<Record<string, unknown>>[] {
  return frames.flatMap(({ event, data }) => (event === name && isObject(data) ? [data] : []));
}

/** Whether a viewer had read to the end of the log before a request, and has received a message that was sent after its answer. */
function isLive(reading: StreamReading, began: number, ended: number, observed: Observed): boolean {
  const got = new Set(itemsOf(reading).map(({ uuid }) => uuid));
  const hasMore = sentEntries(observed).some(
    (entry) => entry.session === reading.session && entry.times === 1 && entry.began > ended && got.has(entry.uuid),
  );
  return hasMore && reading.opened < began && isAtTheEnd(reading, began, observed);
}

function marksIn({ method, path, status, sent }: Exchange, session: string): ReadonlyMap<unknown, number> {
  const highest = new Map<unknown, number>();
  if (method !== 'POST' || status > 299 || !path.endsWith(`${session}/worker/events/delivery`)) return highest;
  const body = jsonOf(sent);
  for (const update of isObject(body) && Array.isArray(body['updates']) ? body['updates'] : []) {
    if (!isObject(update)) continue;
    const rank = RANKS.indexOf(update['status']);
    if (rank >= 0) highest.set(update['event_id'], Math.max(rank, highest.get(update['event_id']) ?? -1));
  }
  return highest;
}
