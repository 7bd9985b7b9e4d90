import { isObject } from '@proto/testkit/steps';

import type { Exchange, Observed } from '../../observed.ts';
import { bodyOf, bySession, knownEvents, messagesIn, messagesOf, readingsOfSessions } from '../known-events.ts';
import { receivedBy, type Rule } from '../rule.ts';
import { entriesOfSession, sentEntries } from './sent-entries.ts';

interface Entry {
  readonly session: string;
  readonly uuid: string;
  readonly isEphemeral: boolean;
  /** The status of the answer, and the error of the entry. A request without an answer has no status. */
  readonly status: number | undefined;
  readonly isRefused: boolean;
}

export const storedRules: readonly Rule[] = [
  notStored('nothing-of-a-refused-body', 'RES-4', ({ status = 0 }) => status >= 400 && status !== 409),
  notStored('nothing-of-a-conflict', 'WRK-5', ({ status }) => status === 409),
  notStored('no-refused-entry', 'ERR-19', ({ status = 0, isRefused }) => status < 300 && isRefused),
  {
    name: 'no-increment-from-lines',
    spec: 'WSK-33',
    *check(observed) {
      for (const session of observed.sessions) {
        const stored = new Set(knownEvents(observed, session).map(({ payload }) => payload['uuid']));
        for (const { uuid, times, isOfWorker, isEphemeral, carrier } of entriesOfSession(observed, session)) {
          const isPlain = carrier !== undefined && 'kind' in carrier && !carrier.isNumbered;
          if (isPlain && isOfWorker && isEphemeral && times === 1 && uuid !== '' && stored.has(uuid))
            yield `The stream_event ${uuid} was sent as a plain line, but became an event.`;
        }
      }
    },
  },
  notStored('no-ephemeral-event', 'REM-19', ({ status = 0, isEphemeral }) => status < 300 && isEphemeral),
  {
    name: 'no-ephemeral-event-of-before',
    spec: 'REM-19',
    *check(observed) {
      const ended = new Map(
        sentEntries(observed).flatMap((entry) =>
          entry.isEphemeral && entry.uuid !== '' && entry.times === 1
            ? [[`${entry.session} ${entry.uuid}`, entry.ended] as const]
            : [],
        ),
      );
      for (const reading of observed.readings) {
        for (const { uuid } of messagesIn(reading))
          if ((ended.get(`${reading.session} ${String(uuid)}`) ?? Infinity) < reading.opened)
            yield `${receivedBy(reading.party)}the ephemeral message ${String(uuid)}, which was sent before the connection was opened.`;
      }
    },
  },
  {
    name: 'no-answer-to-nothing',
    spec: 'REM-37',
    *check(observed) {
      const asked = requestsByWorkers(observed);
      for (const reading of observed.readings) {
        if (reading.kind !== 'stream' || reading.isWorker) continue;
        for (const { data } of reading.frames) {
          const { source, payload } = isObject(data) ? data : {};
          if (source === 'worker' || !isObject(payload) || payload['type'] !== 'control_response') continue;
          const id = isObject(payload['response']) ? payload['response']['request_id'] : undefined;
          if (!asked(reading.session).has(id))
            yield `${receivedBy(reading.party)}an answer to the request ${String(id)}, which the worker did not make.`;
        }
      }
    },
  },
];

/** Messages that were sent a second time with a different outcome are left out. */
function notStored(name: string, spec: string, isBarred: (entry: Entry) => boolean): Rule {
  return {
    name,
    spec,
    *check(observed) {
      const barred = new Map<string, boolean>();
      for (const entry of entriesOf(observed)) {
        const key = `${entry.session} ${entry.uuid}`;
        barred.set(key, (barred.get(key) ?? true) && isBarred(entry));
      }
      for (const { party, session, uuid } of eventsOf(observed))
        if (barred.get(`${session} ${String(uuid)}`))
          yield `${receivedBy(party)}the message ${String(uuid)}, which must not be stored.`;
    },
  };
}

function* entriesOf({ exchanges, lost }: Observed): Iterable<Entry> {
  const answered = exchanges.map((request) => ({ request, status: request.status, body: request.body }));
  const unanswered = lost.map((request) => ({ request, status: undefined, body: undefined }));
  for (const { request, status, body } of [...answered, ...unanswered]) {
    const [, session, worker] = /([^/]+)(\/worker)?\/events$/.exec(request.path) ?? [];
    const json = bodyOf(request);
    const entries = isObject(json) && Array.isArray(json['events']) ? json['events'] : [];
    if (session === undefined) continue;
    const results = resultsOf(body, entries.length);
    for (const [at, entry] of entries.entries()) {
      const payload = isObject(entry) && isObject(entry['payload']) ? entry['payload'] : {};
      if (typeof payload['uuid'] !== 'string') continue;
      const isRefused = isObject(results[at]) && isObject(results[at]['error']);
      const isEphemeral = worker !== undefined && isObject(entry) && entry['ephemeral'] === true;
      yield { session, uuid: payload['uuid'], isEphemeral, status, isRefused };
    }
  }
}

function resultsOf(body: Exchange['body'], length: number): readonly unknown[] {
  const results = isObject(body) ? (body['events'] ?? body['results']) : undefined;
  return Array.isArray(results) && results.length === length ? results : [];
}

function* eventsOf({ readings }: Observed) {
  for (const { kind, party, session, frames } of readings) {
    if (kind !== 'stream') continue;
    for (const { event, data } of frames) {
      if (event !== 'client_event' || !isObject(data) || !isObject(data['payload'])) continue;
      yield { party, session, uuid: data['payload']['uuid'] };
    }
  }
}

/** Finds the ids of the requests that the workers of a session have sent, or may have sent. */
function requestsByWorkers(observed: Observed): (session: string) => ReadonlySet<unknown> {
  const { exchanges, lost } = observed;
  const posts = [...exchanges, ...lost].filter(({ path }) => path.endsWith('/worker/events'));
  return bySession((session) => {
    const own = posts.filter(({ path }) => path.endsWith(`${session}/worker/events`));
    const readings = readingsOfSessions(observed).get(session) ?? [];
    return new Set([...own.flatMap(requestsIn), ...readings.flatMap(requestsOnLines)]);
  });
}

function requestsIn(request: { readonly sent: string }): readonly unknown[] {
  const body = bodyOf(request);
  const entries: unknown = isObject(body) ? body['events'] : undefined;
  return (Array.isArray(entries) ? entries : []).flatMap((entry: unknown) =>
    isObject(entry) && isObject(entry['payload']) ? idOfRequest(entry['payload']) : [],
  );
}

function requestsOnLines(reading: Observed['readings'][number]): readonly unknown[] {
  if (reading.kind !== 'socket') return [];
  // Viewers also send requests, which workers receive. These requests may have the same id, so they are not searched.
  const messages = reading.isWorker ? reading.sent.flatMap(messagesOf) : messagesIn(reading);
  return messages.flatMap(idOfRequest);
}

function idOfRequest({ type, request_id: id }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return type === 'control_request' ? [id] : [];
}
