import { isDeepStrictEqual } from 'node:util';

import { isObject, shortJson } from '@proto/testkit/steps';

import type { Observed, StreamReading } from '../../observed.ts';
import { onceFor } from '../../../once-for.ts';
import { messagesIn } from '../known-events.ts';
import { isNamedIn } from '../remote-sessions/complete-rules.ts';
import { sentEntries } from '../remote-sessions/sent-entries.ts';
import { receivedBy, type Rule } from '../rule.ts';
import { numbersOf } from '../event-streams/stream-rules.ts';

/** The members of an envelope that must be the same for every reader, with the requirement for each. */
const LASTING = [
  { name: 'same-event-for-all', spec: 'RES-5', members: ['event_id', 'payload'] },
  { name: 'same-envelope-for-all', spec: 'REM-8', members: ['source', 'event_type', 'created_at'] },
];

export const logRules: readonly Rule[] = [
  ...LASTING.map(({ name, spec, members }) => ({
    name,
    spec,
    *check({ readings }: Observed) {
      const events = new Map<string, string>();
      for (const { session, event } of eventsOf(readings)) {
        const number = String(event['sequence_num']);
        const said = JSON.stringify(members.map((member) => event[member]));
        const earlier = events.get(`${session} ${number}`) ?? said;
        events.set(`${session} ${number}`, said);
        if (earlier !== said)
          yield `One reader received the event ${number} with ${earlier}, but another reader received the event with ${said}.`;
      }
    },
  })),
  {
    name: 'lines-as-events',
    spec: 'RES-5',
    *check({ readings }) {
      const events = new Map<string, unknown>();
      for (const { session, event } of eventsOf(readings))
        events.set(`${session} ${String(event['event_id'])}`, event['payload']);
      for (const reading of readings) {
        const { kind, party, session } = reading;
        if (kind !== 'socket') continue;
        for (const message of messagesIn(reading)) {
          const event = events.get(`${session} ${String(message['uuid'])}`) ?? message;
          if (!isDeepStrictEqual(event, message))
            yield `${receivedBy(party)}${shortJson(message, 300)}, but the event is ${shortJson(event, 300)}.`;
        }
      }
    },
  },
  {
    name: 'one-number-for-an-id',
    spec: 'RES-7',
    *check({ readings }) {
      const places = new Map<string, unknown>();
      for (const { session, event } of eventsOf(readings)) {
        const id = `${session} ${String(event['event_id'])}`;
        const earlier = places.get(id) ?? event['sequence_num'];
        places.set(id, earlier);
        if (earlier !== event['sequence_num'])
          yield `The event ${String(event['event_id'])} is in the log with the numbers ${String(earlier)} and ${String(event['sequence_num'])}.`;
      }
    },
  },
  {
    name: 'one-event-for-a-uuid',
    spec: 'RES-7',
    *check({ readings }) {
      const places = new Map<string, unknown>();
      for (const { session, event } of eventsOf(readings)) {
        // A worker and a viewer may use one uuid for two messages.
        const uuid = isObject(event['payload']) ? event['payload']['uuid'] : undefined;
        const key = `${session} ${String(event['source'] === 'worker')} ${String(uuid)}`;
        const earlier = places.get(key) ?? event['sequence_num'];
        places.set(key, earlier);
        if (typeof uuid === 'string' && earlier !== event['sequence_num'])
          yield `The message ${uuid} is in the log with the numbers ${String(earlier)} and ${String(event['sequence_num'])}.`;
      }
    },
  },
  {
    name: 'no-holes',
    spec: 'REM-9',
    *check(observed) {
      for (const reading of observed.readings) {
        if (reading.kind !== 'stream' || reading.isWorker || mayHaveHoles(reading, observed)) continue;
        let last = reading.from;
        for (const number of numbersOf(reading)) {
          if (number > last + 1)
            yield `${receivedBy(reading.party)}the number ${number} directly after the number ${last}.`;
          last = number;
        }
      }
    },
  },
  {
    name: 'one-answer',
    spec: 'REM-35',
    *check(observed) {
      const answers = new Map<unknown, unknown>();
      const asked = askedTimes(observed);
      for (const { isWorker, event, session } of eventsOf(observed.readings)) {
        const { type, response, uuid } = isObject(event['payload']) ? event['payload'] : {};
        if (!isWorker || type !== 'control_response' || !isObject(response)) continue;
        const request = `${session} ${String(response['request_id'])}`;
        // A later worker may use the id of an earlier worker's request.
        if ((asked.get(request) ?? 0) > 1) continue;
        const earlier = answers.get(request) ?? uuid;
        answers.set(request, earlier);
        if (earlier !== uuid) yield `The worker got two answers to its request ${String(response['request_id'])}.`;
      }
    },
  },
];

/** How many requests of workers have an id, by session and id. */
function askedTimes(observed: Observed): ReadonlyMap<string, number> {
  const uuids = new Map<string, Set<string>>();
  for (const { session, isOfWorker, payload, uuid } of sentEntries(observed)) {
    if (!isOfWorker || payload['type'] !== 'control_request') continue;
    const request = `${session} ${String(payload['request_id'])}`;
    uuids.set(request, (uuids.get(request) ?? new Set()).add(uuid));
  }
  return new Map(Array.from(uuids, ([request, own]) => [request, own.size]));
}

function* eventsOf(readings: Observed['readings']) {
  for (const reading of readings) {
    if (reading.kind !== 'stream') continue;
    const { session, isWorker } = reading;
    for (const { event, data } of reading.frames)
      if (event === 'client_event' && isObject(data)) yield { session, isWorker, event: data };
  }
}

/** Whether events may be missing: requests of the worker that are settled, and events that the server has reported as gone. */
function mayHaveHoles({ frames, session }: StreamReading, observed: Observed): boolean {
  const isAsked = hasRequests(observed)(session);
  const isReceived = sessionsWithRequests(observed).has(session);
  const isGap = frames.some(({ event, data }) => event === 'catch_up_truncated' || (isObject(data) && data['reason']));
  return isAsked || isReceived || isGap;
}

const hasRequests = onceFor(({ exchanges }: Observed) =>
  isNamedIn(exchanges.flatMap(({ path, sent }) => (sent.includes('"control_request"') ? [path] : []))),
);

const sessionsWithRequests = onceFor(
  ({ readings }: Observed) =>
    new Set(readings.flatMap((reading) => (hasReceived(reading, 'control_request') ? [reading.session] : []))),
);

function hasReceived(reading: Observed['readings'][number], type: string): boolean {
  if (reading.kind === 'socket') return reading.frames.some(({ text }) => text.includes(`"${type}"`));
  return reading.frames.some(({ data }) => isObject(data) && data['event_type'] === type);
}
