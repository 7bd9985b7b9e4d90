import { isDeepStrictEqual } from 'node:util';

import { isObject, shortJson } from '@proto/testkit/steps';

import { onceFor } from '../../../once-for.ts';
import type { Exchange, Observed, SocketReading } from '../../observed.ts';
import { bodyOf, messagesIn, messagesOf } from '../known-events.ts';
import { receivedBy, type Rule } from '../rule.ts';

/** A message that the server accepted in a POST, or that was sent over a WebSocket. */
interface Sent {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly isOfWorker: boolean;
}

export const sentRules: readonly Rule[] = [
  {
    name: 'payload-as-sent',
    spec: 'REM-14',
    *check(observed) {
      for (const { party, payload, sent } of received(observed)) {
        const { ccr_event: _, ...wanted } = sent.payload;
        if (!isDeepStrictEqual(payload, wanted))
          yield `${receivedBy(party)}${shortJson(payload, 300)}, but the message was sent as ${shortJson(wanted, 300)}.`;
      }
    },
  },
  {
    name: 'text-as-sent',
    spec: 'EVS-59',
    *check(observed) {
      for (const { party, payload, sent } of received(observed))
        if (hasReplacement(payload) && !hasReplacement(sent.payload))
          yield `${receivedBy(party)}a replacement character (U+FFFD) in place of characters that were sent: ${shortJson(payload, 300)}.`;
    },
  },
  {
    name: 'source-of-sender',
    spec: 'REM-12',
    *check(observed) {
      for (const { party, source, sent } of received(observed)) {
        if (typeof source === 'string' && (source === 'worker') !== sent.isOfWorker)
          yield `${receivedBy(party)}the source ${source} for a message from ${sent.isOfWorker ? 'the worker' : 'a viewer'}.`;
      }
    },
  },
  linesInOrder('lines-in-order', 'WSK-25', ({ isWorker }) => !isWorker),
  linesInOrder('lines-in-order-of-the-log', 'RES-28', () => true),
  {
    name: 'no-own-lines',
    spec: 'REM-25',
    *check(observed) {
      const bySession = sentBySession(observed);
      for (const reading of observed.readings) {
        const { kind, isWorker, party, session } = reading;
        if (kind !== 'socket' || !isWorker) continue;
        for (const { uuid } of messagesIn(reading))
          if (bySession.get(`${session} ${String(uuid)}`)?.isOfWorker)
            yield `${receivedBy(party)}the message ${String(uuid)}, which a worker had sent.`;
      }
    },
  },
  {
    name: 'results-of-entries',
    spec: 'EVS-43',
    *check(observed) {
      const places = numbersById(observed);
      for (const exchange of observed.exchanges) {
        const problem = exchange.status < 300 ? problemOfResults(exchange, places) : undefined;
        if (problem !== undefined) yield `The answer to ${exchange.method} ${exchange.path} is wrong: ${problem}.`;
      }
    },
  },
  {
    name: 'ephemeral-once',
    spec: 'REM-18',
    *check({ readings, exchanges }) {
      for (const reading of readings) {
        if (reading.kind !== 'stream') continue;
        const counts = new Map<string, number>();
        for (const { event, data } of reading.frames) {
          const payload = event === 'ephemeral_event' && isObject(data) ? data['payload'] : undefined;
          const uuid = isObject(payload) ? payload['uuid'] : undefined;
          if (typeof uuid !== 'string') continue;
          const count = (counts.get(uuid) ?? 0) + 1;
          counts.set(uuid, count);
          if (count === 1) continue;
          const times = exchanges.filter(({ sent }) => sent.includes(uuid)).length;
          if (times > 0 && count > times)
            yield `${receivedBy(reading.party)}the ephemeral message ${uuid} more times than it was sent.`;
        }
      }
    },
  },
];

function hasReplacement(payload: unknown): boolean {
  return JSON.stringify(payload).includes('\uFFFD');
}

function linesInOrder(name: string, spec: string, applies: (reading: SocketReading) => boolean): Rule {
  return {
    name,
    spec,
    *check(observed) {
      const places = numbersById(observed);
      for (const reading of observed.readings) {
        if (reading.kind !== 'socket' || reading.isNumbered || !applies(reading)) continue;
        let last = 0;
        for (const { uuid } of messagesIn(reading)) {
          const place = places.get(`${reading.session} ${String(uuid)}`);
          if (place !== undefined && place <= last) yield `${receivedBy(reading.party)}event ${place} after ${last}.`;
          last = place ?? last;
        }
      }
    },
  };
}

function problemOfResults(exchange: Exchange, places: ReadonlyMap<string, number>): string | undefined {
  const { path, body } = exchange;
  const session = /([^/]+)\/events$/.exec(path)?.[1];
  const results = isObject(body) ? body['events'] : undefined;
  if (session === undefined || session === 'worker' || !Array.isArray(results)) return undefined;
  const entries = entriesOf(exchange);
  if (results.length !== entries.length) return `it contains ${results.length} results for ${entries.length} entries`;
  for (const [at, result] of results.entries()) {
    const { uuid } = isObject(entries[at]?.payload) ? entries[at].payload : {};
    const { event_id, sequence_num } = isObject(result) ? result : {};
    if (typeof uuid === 'string' && event_id !== undefined && event_id !== uuid)
      return `result ${at + 1} has the event_id ${shortJson(event_id)}, but its entry has the uuid ${uuid}`;
    const place = places.get(`${session} ${String(event_id)}`);
    if (typeof sequence_num === 'number' && place !== undefined && sequence_num !== place)
      return `result ${at + 1} has the number ${sequence_num}, but the event has the number ${place}`;
  }
  return undefined;
}

/** The messages that readers received, each with the message that was sent. Messages that were sent in several forms are left out. */
function* received(observed: Observed) {
  const bySession = sentBySession(observed);
  for (const reading of observed.readings) {
    const messages: readonly unknown[] =
      reading.kind === 'stream'
        ? reading.frames.map(({ data }) => data)
        : messagesIn(reading).map((payload) => ({ payload }));
    for (const data of messages) {
      const payload = isObject(data) ? data['payload'] : undefined;
      const sent = isObject(payload) ? bySession.get(`${reading.session} ${String(payload['uuid'])}`) : undefined;
      if (isObject(data) && sent !== undefined) yield { party: reading.party, payload, source: data['source'], sent };
    }
  }
}

/** Messages that were sent in several forms are left out. */
const sentBySession = onceFor(({ exchanges, lost, readings }: Observed): ReadonlyMap<string, Sent> => {
  const sessions = new Set(readings.map(({ session }) => session));
  const bySession = new Map<string, Sent | undefined>();
  const note = (session: string, payload: unknown, isOfWorker: boolean) => {
    if (!isObject(payload) || typeof payload['uuid'] !== 'string') return;
    const key = `${session} ${payload['uuid']}`;
    const now = { payload, isOfWorker };
    const isAlike = !bySession.has(key) || isDeepStrictEqual(bySession.get(key), now);
    bySession.set(key, isAlike ? now : undefined);
  };
  // A lost message may have been stored.
  for (const request of [...lost, ...exchanges.filter(({ status }) => status < 300)]) {
    const { method, path } = request;
    const [, session, worker] = /([^/]+)(\/worker)?\/events$/.exec(path) ?? [];
    if (method !== 'POST' || session === undefined || !sessions.has(session)) continue;
    for (const { payload } of entriesOf(request)) note(session, payload, worker !== undefined);
  }
  for (const reading of readings) {
    if (reading.kind !== 'socket') continue;
    for (const message of reading.sent.flatMap(messagesOf)) note(reading.session, message, reading.isWorker);
  }
  return new Map([...bySession].filter((entry): entry is [string, Sent] => entry[1] !== undefined));
});

/** The number of each event that a reader of an event stream has received, by session and id. */
function numbersById({ readings }: Observed): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const reading of readings) {
    if (reading.kind !== 'stream') continue;
    for (const { event, data } of reading.frames)
      if (event === 'client_event' && isObject(data))
        places.set(`${reading.session} ${String(data['event_id'])}`, Number(data['sequence_num']));
  }
  return places;
}

function entriesOf(request: { readonly sent: string }): readonly { readonly payload?: unknown }[] {
  const body = bodyOf(request);
  const events = isObject(body) ? body['events'] : undefined;
  return Array.isArray(events) ? events.map((entry) => (isObject(entry) ? entry : {})) : [];
}
