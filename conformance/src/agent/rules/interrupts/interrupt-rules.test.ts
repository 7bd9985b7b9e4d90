import { expect, test } from 'vitest';

import { aborted, request, waits } from '../broken-decisions.test-support.ts';
import { answer, breaks, init, session, state } from '../sessions.test-support.ts';

const removes = [
  request('i1', 'interrupt', { cancel_queued: true }),
  answer('i1', { subtype: 'success', response: { still_queued: [], cancelled: ['p2'] } }),
];

test('a prompt that started before an interrupt may begin its turn after the interrupt removed all others (INT-16)', () => {
  const log = (...parts: readonly object[]) =>
    session([waits('p1'), state('p1', 'queued'), init(), ...parts, ...removes, init(), aborted()]);
  expect(breaks('interrupt/none-left', log(state('p1', 'started')))).toBe(false);
  expect(breaks('interrupt/none-left', log())).toBe(true);
});
