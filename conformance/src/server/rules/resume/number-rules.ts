import { isObject } from '@proto/testkit/steps';

import type { Exchange, Observed } from '../../observed.ts';
import { numbersOf } from '../event-streams/stream-rules.ts';
import { knownEvents } from '../known-events.ts';
import { entriesOfSession } from '../remote-sessions/sent-entries.ts';
import type { Rule } from '../rule.ts';

export const numberRules: readonly Rule[] = [
  {
    name: 'no-missing-number',
    spec: 'REM-9',
    *check(observed) {
      for (const [session, numbers] of numbersBySession(observed)) {
        const sorted = [...numbers].toSorted((a, b) => a - b);
        const gaps = sorted.map((number, place) => (place === 0 ? 0 : number - (sorted[place - 1] ?? 0) - 1));
        const missing = gaps.reduce((sum, gap) => sum + gap, 0);
        const unreported = missing === 0 ? 0 : unreportedIn(observed, session);
        if (missing <= unreported) continue;
        const at = gaps.findIndex((gap) => gap > 0);
        yield `The number ${sorted[at]} follows the number ${sorted[at - 1]}. Altogether, ${missing} numbers are missing, but only ${unreported} messages that anybody sent to the session "${session}" may have them.`;
      }
    },
  },
];

/** The numbers of the events that the server has reported or sent. */
function numbersBySession({ exchanges, readings, sessions }: Observed): ReadonlyMap<string, ReadonlySet<number>> {
  const numbers = new Map(Array.from(sessions, (session) => [session, new Set<number>()]));
  for (const reading of readings)
    if (reading.kind === 'stream') for (const number of numbersOf(reading)) numbers.get(reading.session)?.add(number);
  for (const exchange of exchanges) {
    const { method, path, status } = exchange;
    if (method !== 'POST' || status >= 400 || !path.endsWith('/events')) continue;
    for (const number of reportedNumbers(exchange) ?? []) numbers.get(sessionOf(path))?.add(number);
  }
  return numbers;
}

/** How many messages the server may have stored without reporting their numbers to anybody. */
function unreportedIn(observed: Observed, session: string): number {
  const known = new Set(knownEvents(observed, session).map(({ payload }) => payload['uuid']));
  return entriesOfSession(observed, session).filter(({ uuid, carrier, isEphemeral }) => {
    if (isEphemeral || (uuid !== '' && known.has(uuid))) return false;
    if (carrier === undefined || 'kind' in carrier) return true;
    return carrier.status < 400 && reportedNumbers(carrier) === undefined;
  }).length;
}

function sessionOf(path: string): string {
  return /([^/]+)(?:\/worker)?\/[^/]*$/.exec(path)?.[1] ?? '';
}

/** The numbers in the answer to a POST, or `undefined` if the answer reports no number for an event. */
function reportedNumbers({ body, sent }: Exchange): readonly number[] | undefined {
  const results = isObject(body) ? body['events'] : undefined;
  if (!Array.isArray(results)) return sent.includes('"events":[]') ? [] : undefined;
  return results.flatMap((result) =>
    isObject(result) && Number.isInteger(result['sequence_num']) ? Number(result['sequence_num']) : [],
  );
}
