import { isObject } from '@proto/testkit/steps';

import type { Exchange, LostExchange, Observed, SocketReading } from '../../observed.ts';
import { byKeys } from '../../../by-keys.ts';
import { onceFor } from '../../../once-for.ts';
import { bodyOf, messagesOf } from '../known-events.ts';

type Payload = Readonly<Record<string, unknown>>;

export interface SentEntry {
  readonly session: string;
  readonly payload: Payload;
  /** Empty if the message has no `uuid`. */
  readonly uuid: string;
  readonly isOfWorker: boolean;
  readonly isEphemeral: boolean;
  /**
   * Whether the POST was answered with 2xx, and no result refuses the entry. Always false for a message over a socket, because a socket does not
   * report this.
   */
  readonly isTaken: boolean;
  /** Whether the server reported the message as one that it had stored before. */
  readonly isRepetition: boolean;
  /** How often a message with this `uuid` was sent to the session. */
  readonly times: number;
  /** The request or the socket that carried the message, and the position of the message in it. */
  readonly carrier: Exchange | SocketReading | undefined;
  readonly place: number;
  /** When the request with the message began, in milliseconds of `performance.now()`. The request ended when its answer had arrived. */
  readonly began: number;
  readonly ended: number;
}

/** Of a message whose arrival nothing reports. */
const UNANSWERED = { isTaken: false, isRepetition: false, began: -Infinity, ended: Infinity };

type Draft = Omit<SentEntry, 'times'>;

/** Every message that clients have sent, ordered by the start of their requests. */
export const sentEntries: (observed: Observed) => readonly SentEntry[] = onceFor((observed) =>
  withTimes(draftsOf(observed)),
);

/** The messages of a session, in the same order. */
export function entriesOfSession(observed: Observed, session: string): readonly SentEntry[] {
  return entriesOfSessions(observed).get(session) ?? [];
}

const entriesOfSessions = onceFor((observed: Observed) => byKeys(sentEntries(observed), (entry) => [entry.session]));

/** The messages of each request or socket. */
export const entriesOfCarriers = onceFor((observed: Observed) =>
  byKeys(sentEntries(observed), ({ carrier }) => [carrier]),
);

/**
 * Whether the request with the message `one` was answered before the request with `other` began. If one carrier carried both messages, whether `one`
 * was sent first.
 */
export function isBefore(one: SentEntry, other: SentEntry): boolean {
  if (one.carrier !== undefined && one.carrier === other.carrier) return one.place < other.place;
  return one.ended < other.began;
}

function withTimes(drafts: readonly Draft[]): readonly SentEntry[] {
  const times = new Map<string, number>();
  const keyOf = ({ session, uuid }: Draft) => `${session} ${uuid}`;
  for (const draft of drafts) times.set(keyOf(draft), (times.get(keyOf(draft)) ?? 0) + 1);
  return drafts.map((draft) => ({ ...draft, times: times.get(keyOf(draft)) ?? 0 }));
}

function draftsOf({ exchanges, lost, readings }: Observed): readonly Draft[] {
  const drafts: Draft[] = [];
  for (const exchange of exchanges.toSorted((a, b) => a.began - b.began)) {
    const { body, status, method, began, ended } = exchange;
    if (method !== 'POST') continue;
    const isTaken = status >= 200 && status <= 299;
    const entries = entriesIn(exchange);
    const results = resultsOf(body, entries.length);
    for (const [place, entry] of entries.entries()) {
      const result = results[place];
      const isRefused = isObject(result) && isObject(result['error']);
      const isRepetition = isObject(result) && result['duplicate'] === true;
      drafts.push({ ...entry, isTaken: isTaken && !isRefused, isRepetition, carrier: exchange, place, began, ended });
    }
  }
  for (const request of lost)
    for (const [place, entry] of entriesIn(request).entries())
      drafts.push({ ...entry, ...UNANSWERED, carrier: undefined, place });
  for (const reading of readings) if (reading.kind === 'socket') drafts.push(...draftsOfSocket(reading));
  return drafts;
}

function draftsOfSocket(reading: SocketReading): readonly Draft[] {
  const { session, isWorker: isOfWorker, sent } = reading;
  return sent.flatMap(messagesOf).map((payload, place) => ({
    session,
    payload,
    uuid: typeof payload['uuid'] === 'string' ? payload['uuid'] : '',
    isOfWorker,
    isEphemeral: payload['type'] === 'stream_event',
    ...UNANSWERED,
    carrier: reading,
    place,
  }));
}

/** Entries that are not messages have no type. */
function entriesIn(request: LostExchange) {
  const [, session, worker] = /([^/]+)(\/worker)?\/events$/.exec(request.path) ?? [];
  const body = session === undefined ? undefined : bodyOf(request);
  const events = isObject(body) && Array.isArray(body['events']) ? body['events'] : [];
  return events.map((entry) => {
    const payload: Payload = isObject(entry) && isObject(entry['payload']) ? entry['payload'] : {};
    return {
      session: session ?? '',
      payload,
      uuid: typeof payload['uuid'] === 'string' ? payload['uuid'] : '',
      isOfWorker: worker !== undefined,
      isEphemeral: worker !== undefined && isObject(entry) && entry['ephemeral'] === true,
    };
  });
}

function resultsOf(body: unknown, length: number): readonly unknown[] {
  const results = isObject(body) ? (body['events'] ?? body['results']) : undefined;
  return Array.isArray(results) && results.length === length ? results : [];
}
