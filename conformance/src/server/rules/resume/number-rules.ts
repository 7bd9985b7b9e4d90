import { isObject } from '@proto/testkit/steps';

import type { Exchange, Observed } from '../../observed.ts';
import { numbersOf } from '../event-streams/stream-rules.ts';
import type { Rule } from '../rule.ts';

export const numberRules: readonly Rule[] = [
  {
    name: 'no-missing-number',
    spec: 'REM-9',
    *check(observed) {
      for (const session of observed.sessions) {
        const numbers = numbersOfSession(observed, session);
        if (numbers === undefined) continue;
        const sorted = [...numbers].toSorted((a, b) => a - b);
        const at = sorted.findIndex((number, place) => place > 0 && number !== (sorted[place - 1] ?? 0) + 1);
        if (at !== -1)
          yield `The number ${sorted[at]} follows the number ${sorted[at - 1]}, and the numbers between them belong to no message that anybody sent to the session "${session}".`;
      }
    },
  },
];

/** The numbers of all events of a session, or `undefined` if the server may have stored an event without reporting its number. */
function numbersOfSession({ exchanges, lost, readings }: Observed, session: string): Set<number> | undefined {
  const ofSession = readings.filter((reading) => reading.session === session);
  const isCertain =
    !ofSession.some(({ kind, ...reading }) => kind === 'socket' && 'sent' in reading) &&
    !lost.some(({ path }) => path.includes(session));
  if (!isCertain) return undefined;
  const numbers = new Set(ofSession.flatMap((reading) => (reading.kind === 'stream' ? numbersOf(reading) : [])));
  for (const exchange of exchanges) {
    if (!isPostTo(session, exchange)) continue;
    const reported = reportedNumbers(exchange);
    if (reported === undefined) return undefined;
    for (const number of reported) numbers.add(number);
  }
  return numbers;
}

function isPostTo(session: string, { method, path, status }: Exchange): boolean {
  return method === 'POST' && status < 400 && path.includes(`/${session}/`) && path.endsWith('/events');
}

/** The numbers in the answer to a POST, or `undefined` if the answer reports no number for an event. */
function reportedNumbers({ body, sent }: Exchange): readonly number[] | undefined {
  const results = isObject(body) ? body['events'] : undefined;
  if (!Array.isArray(results)) return sent.includes('"events":[]') ? [] : undefined;
  return results.flatMap((result) =>
    isObject(result) && Number.isInteger(result['sequence_num']) ? Number(result['sequence_num']) : [],
  );
}
