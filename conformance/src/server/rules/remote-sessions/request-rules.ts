import { isObject } from '@proto/testkit/steps';

import type { Observed } from '../../observed.ts';
import { onceFor } from '../../../once-for.ts';
import { bySession, messagesIn } from '../known-events.ts';
import { endsOfRequests, isSettled, numbersByUuid } from '../resume/order-rules.ts';
import { receivedBy, type Rule } from '../rule.ts';
import { mayMissDeleted } from './complete-rules.ts';
import { entriesOfSession, isBefore, type SentEntry, sentEntries } from './sent-entries.ts';

type Reading = Observed['readings'][number];

export const requestRules: readonly Rule[] = [
  {
    name: 'open-requests-for-viewers',
    spec: 'REM-29',
    *check(observed) {
      for (const reading of viewersOf(observed)) {
        // The request may be among the events that the server has deleted.
        if (mayMissDeleted(reading, observed)) continue;
        const numbers = numbersByUuid(observed, reading.session);
        const got = new Set(messagesIn(reading).map(({ uuid }) => uuid));
        const last = Math.max(0, ...Array.from(got, (uuid) => numbers.get(uuid) ?? 0));
        for (const asked of requestsOfWorker(observed)(reading.session)) {
          const { uuid, payload } = asked;
          const number = numbers.get(uuid) ?? Infinity;
          const isMissing = number > latestOf(reading) && number < last && !got.has(uuid);
          if (isMissing && !isSettled(asked, observed))
            yield `${receivedBy(reading.party)}later events, but not the request ${String(payload['request_id'])}, which is open.`;
        }
      }
    },
  },
  {
    name: 'no-settled-requests',
    spec: 'REM-30',
    *check(observed) {
      for (const reading of viewersOf(observed)) {
        const ends = endsOfRequests(observed)(reading.session);
        const got = new Set(messagesIn(reading).map(({ uuid }) => uuid));
        for (const asked of requestsOfWorker(observed)(reading.session)) {
          if (!got.has(asked.uuid)) continue;
          const isOver = ends
            .get(asked.payload['request_id'])
            ?.some((entry) => settles(entry) && isBefore(asked, entry) && entry.ended < reading.opened);
          if (isOver === true)
            yield `${receivedBy(reading.party)}the request ${String(asked.payload['request_id'])}, which was already settled.`;
        }
      }
    },
  },
  {
    name: 'no-requests-of-viewers-on-lines',
    spec: 'WSK-26',
    *check(observed) {
      const all = sentEntries(observed);
      const ofWorkers = new Set(all.filter(({ isOfWorker }) => isOfWorker).map(({ session, uuid }) => session + uuid));
      const ofViewers = all.filter(
        ({ isOfWorker, payload, session, uuid }) =>
          !isOfWorker && payload['type'] === 'control_request' && uuid !== '' && !ofWorkers.has(session + uuid),
      );
      for (const reading of viewersOf(observed)) {
        if (reading.kind !== 'socket' || reading.isNumbered) continue;
        const got = new Set(messagesIn(reading).map(({ uuid }) => uuid));
        for (const { uuid, session } of ofViewers)
          if (session === reading.session && got.has(uuid))
            yield `${receivedBy(reading.party)}the control request ${uuid} from a viewer.`;
      }
    },
  },
];

function viewersOf({ readings }: Observed): readonly Reading[] {
  return readings.filter(({ isWorker }) => !isWorker);
}

function isRequestOfWorker({ isOfWorker, payload, uuid, times }: SentEntry): boolean {
  return isOfWorker && payload['type'] === 'control_request' && uuid !== '' && times === 1;
}

const requestsOfWorker = onceFor((observed: Observed) =>
  bySession((session) => entriesOfSession(observed, session).filter(isRequestOfWorker)),
);

/** Whether the server accepted an answer or a cancel. An answer to a permission request must contain a decision. */
function settles({ isTaken, times, payload: { type, response } }: SentEntry): boolean {
  // A message whose uuid another party has used counts as a repetition, and is not stored.
  if (!isTaken || times > 1) return false;
  if (type === 'control_cancel_request') return true;
  if (!isObject(response)) return false;
  const decision = isObject(response['response']) ? response['response']['behavior'] : undefined;
  return response['subtype'] === 'error' || decision === 'allow' || decision === 'deny';
}

function latestOf(reading: Reading): number {
  return reading.kind === 'stream' ? reading.latest : reading.from;
}
