import { isObject } from '@proto/testkit/steps';

import type { Exchange, Observed, StreamReading } from '../../observed.ts';
import { byKeys } from '../../../by-keys.ts';
import { HighestBefore } from '../../../highest-before.ts';
import { onceFor } from '../../../once-for.ts';
import { bodyOf, bySession, knownEvents, messagesIn, readingsOfSessions } from '../known-events.ts';
import { endsOfRequests, isAtTheEnd } from '../resume/order-rules.ts';
import { receivedBy, type Rule } from '../rule.ts';
import { entriesOfSession, isBefore, type SentEntry, sentEntries } from './sent-entries.ts';

type Reading = Observed['readings'][number];

const RANKS: readonly unknown[] = ['received', 'processing', 'processed'];

/**
 * The rules about what viewers receive while they are connected. A rule checks a viewer that had received all earlier events when a message was sent,
 * and that has since received an event that was sent later.
 */
export const liveRules: readonly Rule[] = [
  incrementsForEach('increments-for-each-viewer', 'REM-18', ({ kind }) => kind === 'stream'),
  incrementsForEach('increments-for-each-viewer-on-lines', 'WSK-25', ({ kind }) => kind === 'socket'),
  inTheirPlace('increments-in-their-place', 'REM-20', () => true),
  inTheirPlace('increments-in-their-place-on-lines', 'WSK-25', ({ kind }) => kind === 'socket'),
  {
    name: 'marks-for-each-viewer',
    spec: 'REM-43',
    *check(observed) {
      for (const reading of viewersOf(observed)) {
        const reported = new Set(
          newsOf(reading, 'delivery_update').map((data) => `${String(data['event_id'])} ${String(data['status'])}`),
        );
        for (const { status, began, ended } of newMarksOf(observed)(reading.session))
          if (!reported.has(status) && isLive(reading, began, ended, observed))
            yield `${receivedBy(reading.party)}later events, but not the mark ${status}.`;
      }
    },
  },
  {
    name: 'resolved-as-it-was',
    spec: 'REM-38',
    *check(observed) {
      for (const reading of viewersOf(observed)) {
        const requests = requestsOfWorker(observed)(reading.session);
        const ends = endsOfRequests(observed)(reading.session);
        const reported = new Map<unknown, number>();
        for (const { request_id, outcome } of newsOf(reading, 'control_resolved')) {
          const times = (reported.get(request_id) ?? 0) + 1;
          reported.set(request_id, times);
          const asked = requests.get(request_id)?.length ?? 0;
          // A viewer's request is covered by another rule.
          if (asked === 0) continue;
          const isSo = ends.get(request_id)?.some((entry) => entry.isOfWorker === (outcome === 'cancelled')) === true;
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
        const requests = requestsOfWorker(observed)(reading.session);
        for (const { request_id: id, by, outcome } of newsOf(reading, 'control_resolved')) {
          if (!requests.has(id))
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
    *check(observed) {
      for (const { path, body, began, ended } of observed.exchanges) {
        const session = /([^/]+)\/worker\/events$/.exec(path)?.[1] ?? '';
        const said = isObject(body) ? body['has_subscribers'] : undefined;
        if (typeof said !== 'boolean') continue;
        const { closed, opened } = viewingTimes(observed)(session);
        if (!said && closed.of(began) > ended)
          yield `An answer to POST ${path} says that the session has no subscribers, although a viewer is reading.`;
        if (said && opened >= ended)
          yield `An answer to POST ${path} says that the session has subscribers, although no viewer has read.`;
      }
    },
  },
];

function incrementsForEach(name: string, spec: string, applies: (reading: Reading) => boolean): Rule {
  return {
    name,
    spec,
    *check(observed) {
      for (const reading of observed.readings.filter((each) => !each.isWorker && applies(each))) {
        const got = new Set(messagesIn(reading).map(({ uuid }) => uuid));
        for (const { uuid, began, ended } of incrementsOf(observed)(reading.session))
          if (!got.has(uuid) && isLive(reading, began, ended, observed))
            yield `${receivedBy(reading.party)}the messages before and after the ephemeral message ${uuid}, but not this message.`;
      }
    },
  };
}

function inTheirPlace(name: string, spec: string, applies: (reading: Reading) => boolean): Rule {
  return {
    name,
    spec,
    *check(observed) {
      for (const reading of observed.readings.filter((each) => !each.isWorker && applies(each))) {
        const byUuid = onlyEntriesOfWorker(observed)(reading.session);
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

/** When the viewers of a session stopped reading, by the times of their first frames, and when the first of them was opened. */
const viewingTimes = onceFor((observed: Observed) =>
  bySession((session) => {
    const viewers = (readingsOfSessions(observed).get(session) ?? []).filter(({ isWorker }) => !isWorker);
    return {
      closed: new HighestBefore(
        viewers.map((viewer) => ({ at: firstFrameAt(viewer), value: viewer.closed ?? Infinity })),
      ),
      opened: viewers.reduce((first, { opened }) => Math.min(first, opened), Infinity),
    };
  }),
);

function firstFrameAt({ frames }: Observed['readings'][number]): number {
  return Array.from<{ readonly at: number }>(frames).reduce((first, { at }) => Math.min(first, at), Infinity);
}

/** The ephemeral messages that each viewer at the end of the log must receive. */
const incrementsOf = onceFor((observed: Observed) => {
  const firstLasting = new Map<unknown, number>();
  for (const { carrier, place, isEphemeral } of sentEntries(observed))
    if (!isEphemeral) firstLasting.set(carrier, Math.min(firstLasting.get(carrier) ?? Infinity, place));
  return bySession((session) =>
    entriesOfSession(observed, session).filter(
      ({ isEphemeral, isTaken, uuid, payload, carrier, place }) =>
        isEphemeral &&
        isTaken &&
        uuid !== '' &&
        payload['type'] !== 'keep_alive' &&
        // A viewer that still has to receive an earlier message of the same request is not at the end of the log.
        place <= (firstLasting.get(carrier) ?? Infinity),
    ),
  );
});

/** The marks of workers on events that they have received, if the event did not have the same or a higher mark before. */
const newMarksOf = onceFor((observed: Observed) => {
  const sentAt = new Map(sentEntries(observed).map(({ uuid, began }) => [uuid, began]));
  const deliveries = observed.exchanges.filter(({ path }) => path.endsWith('/worker/events/delivery'));
  return bySession((session) => {
    // A server may forget the events that a worker has received over a socket, so only events that were sent after the last one are checked.
    const closed = (readingsOfSessions(observed).get(session) ?? []).map((reading) =>
      reading.kind === 'socket' && reading.isWorker ? (reading.closed ?? Infinity) : 0,
    );
    const lastSocket = Math.max(0, ...closed);
    // A worker marks what it has received, which are the events of viewers.
    const received = new Set(
      knownEvents(observed, session).flatMap(({ isOfWorker, payload: { uuid } }) =>
        isOfWorker || (sentAt.get(String(uuid)) ?? 0) < lastSocket ? [] : [uuid],
      ),
    );
    const highest = new Map<unknown, number>();
    return deliveries.flatMap((exchange) =>
      marksIn(exchange, session).flatMap(({ id, rank }) => {
        const isNew = rank > (highest.get(id) ?? -1) && received.has(id);
        highest.set(id, Math.max(rank, highest.get(id) ?? -1));
        const status = `${String(id)} DELIVERY_STATUS_${String(RANKS[rank]).toUpperCase()}`;
        return isNew ? [{ status, began: exchange.began, ended: exchange.ended }] : [];
      }),
    );
  });
});

/** The requests of the workers of a session, by their ids. */
const requestsOfWorker = onceFor((observed: Observed) =>
  bySession((session) =>
    byKeys(entriesOfSession(observed, session).filter(isRequestOfWorker), ({ payload }) => [payload['request_id']]),
  ),
);

function isRequestOfWorker({ payload, isOfWorker }: SentEntry): boolean {
  return isOfWorker && payload['type'] === 'control_request';
}

/** The messages of the workers of a session that were sent only once, by their uuids. */
const onlyEntriesOfWorker = onceFor((observed: Observed) =>
  bySession((session) => {
    const once = entriesOfSession(observed, session).filter(
      ({ isOfWorker, times, uuid }) => isOfWorker && times === 1 && uuid !== '',
    );
    return new Map(once.map((entry) => [entry.uuid, entry]));
  }),
);

function viewersOf({ readings }: Observed): readonly StreamReading[] {
  return readings.filter((reading): reading is StreamReading => reading.kind === 'stream' && !reading.isWorker);
}

function newsOf({ frames }: StreamReading, name: string): readonly Readonly<Record<string, unknown>>[] {
  return frames.flatMap(({ event, data }) => (event === name && isObject(data) ? [data] : []));
}

/** Whether a viewer had read to the end of the log before a request, and has received a message that was sent after its answer. */
function isLive(reading: Reading, began: number, ended: number, observed: Observed): boolean {
  const hasMore = lastReceived(observed)(reading) > ended;
  return hasMore && reading.opened < began && isAtTheEnd(reading, began, observed);
}

/** When the last message was sent that a reader has received, of those that were sent only once. */
const lastReceived = onceFor((observed: Observed) =>
  onceFor((reading: Reading) => {
    const got = new Set(messagesIn(reading).map(({ uuid }) => uuid));
    const entries = entriesOfSession(observed, reading.session).filter(
      ({ times, uuid }) => times === 1 && got.has(uuid),
    );
    return entries.reduce((last, { began }) => Math.max(last, began), -Infinity);
  }),
);

function marksIn(exchange: Exchange, session: string) {
  const { method, path, status } = exchange;
  if (method !== 'POST' || status > 299 || !path.endsWith(`${session}/worker/events/delivery`)) return [];
  const body = bodyOf(exchange);
  const updates: readonly unknown[] = isObject(body) && Array.isArray(body['updates']) ? body['updates'] : [];
  return updates.flatMap((update) => {
    const rank = isObject(update) ? RANKS.indexOf(update['status']) : -1;
    return isObject(update) && rank >= 0 ? [{ id: update['event_id'], rank }] : [];
  });
}
