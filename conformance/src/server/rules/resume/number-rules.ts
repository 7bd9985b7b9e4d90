import { isObject } from '@proto/testkit/steps';

import type { Exchange, Observed } from '../../observed.ts';
import { numbersOf } from '../event-streams/stream-rules.ts';
import type { Rule } from '../rule.ts';

export const numberRules: readonly Rule[] = [
  {
    name: 'no-missing-number',
    spec: 'REM-9',
    *check(observed) {
      for (const [session, numbers] of numbersBySession(observed)) {
        const sorted = [...numbers].toSorted((a, b) => a - b);
        const at = sorted.findIndex((number, place) => place > 0 && number !== (sorted[place - 1] ?? 0) + 1);
        if (at !== -1)
          yield `The number ${sorted[at]} follows the number ${sorted[at - 1]}, and the numbers between them belong to no message that anybody sent to the session "${session}".`;
      }
    },
  },
];

/** The numbers of all events, without the sessions in which the server may have stored an event without reporting its number. */
function numbersBySession({ exchanges, lost, readings, sessions }: Observed): ReadonlyMap<string, Set<number>> {
  const numbers = new Map(Array.from(sessions, (session) => [session, new Set<number>()]));
  for (const { path } of lost) numbers.delete(sessionOf(path));
  for (const reading of readings) {
    if (reading.kind === 'stream') for (const number of numbersOf(reading)) numbers.get(reading.session)?.add(number);
    else if (reading.sent.length > 0) numbers.delete(reading.session);
  }
  for (const exchange of exchanges) {
    const { method, path, status } = exchange;
    if (method !== 'POST' || status >= 400 || !path.endsWith('/events')) continue;
    const reported = reportedNumbers(exchange);
    if (reported === undefined) numbers.delete(sessionOf(path));
    for (const number of reported ?? []) numbers.get(sessionOf(path))?.add(number);
  }
  return numbers;
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
