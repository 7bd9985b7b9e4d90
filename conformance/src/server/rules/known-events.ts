import { parseJson } from '@proto/core/framing';
import { isObject } from '@proto/testkit/steps';

import { byKeys } from '../../by-keys.ts';
import { onceFor } from '../../once-for.ts';
import type { Observed, SocketFrame } from '../observed.ts';

type Message = Readonly<Record<string, unknown>>;

/** An event that a viewer of an event stream has received. */
export interface KnownEvent {
  readonly number: number;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly type: string;
  readonly isOfWorker: boolean;
  readonly created_at: string;
}

/** The events of a session that its viewers have received on event streams, in the order of their numbers. */
export function knownEvents(observed: Observed, session: string): readonly KnownEvent[] {
  return eventsOfSessions(observed).get(session) ?? [];
}

const eventsOfSessions = onceFor(({ readings }: Observed): ReadonlyMap<string, readonly KnownEvent[]> => {
  const bySession = new Map<string, Map<number, KnownEvent>>();
  for (const reading of readings) {
    if (reading.kind !== 'stream' || reading.isWorker) continue;
    const known = bySession.get(reading.session) ?? new Map<number, KnownEvent>();
    bySession.set(reading.session, known);
    for (const { event, data } of reading.frames) {
      if (event !== 'client_event' || !isObject(data)) continue;
      const number = Number(data['sequence_num']);
      const payload = isObject(data['payload']) ? data['payload'] : {};
      known.set(number, {
        number,
        payload,
        type: String(data['event_type']),
        isOfWorker: data['source'] === 'worker',
        created_at: String(data['created_at']),
      });
    }
  }
  return new Map(
    Array.from(bySession, ([session, known]) => [session, [...known.values()].toSorted((a, b) => a.number - b.number)]),
  );
});

/** Returns a function that computes something for a session when it is first needed, and only once. */
export function bySession<Found>(compute: (session: string) => Found): (session: string) => Found {
  const known = new Map<string, { readonly found: Found }>();
  return (session) => {
    const kept = known.get(session) ?? { found: compute(session) };
    known.set(session, kept);
    return kept.found;
  };
}

/** The readers of each session. */
export const readingsOfSessions = onceFor(({ readings }: Observed) => byKeys(readings, ({ session }) => [session]));

/** The objects in the lines of a frame of a WebSocket: plain lines, or the data of numbered lines. */
export function messagesOf(text: string): readonly Message[] {
  return text
    .split('\n')
    .map(jsonOf)
    .filter(isObject)
    .map((line) => (isObject(line['data']) && line['type'] === undefined ? line['data'] : line));
}

/** The messages in a frame of a WebSocket. */
export const messagesOfFrame = onceFor(({ text }: SocketFrame) => messagesOf(text));

/** Every message that a reader has received. */
export const messagesIn = onceFor((reading: Observed['readings'][number]): readonly Message[] => {
  if (reading.kind === 'socket') return reading.frames.flatMap(messagesOfFrame);
  return reading.frames.flatMap(({ data }) => (isObject(data) && isObject(data['payload']) ? [data['payload']] : []));
});

/** The body of a request as a value. Undefined if the body is not JSON. */
export const bodyOf = onceFor(({ sent }: { readonly sent: string }) => jsonOf(sent));

/** Returns `undefined` if the text is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
