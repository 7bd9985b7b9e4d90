import { expect, test } from 'vitest';

import { registered, registers, waits } from '../broken-decisions.test-support.ts';
import { answered, assistant, breaks, init, result, session } from '../sessions.test-support.ts';

test('an agent that a signal ends need not call the Stop hooks of its last turn (HOK-11)', () => {
  const begins = [registers({ Stop: [{ hookCallbackIds: ['h1'] }] }), registered, waits('p1'), init()];
  const turn = [assistant(), answered()];
  expect(breaks('hook/of-each-end', session([...begins, ...turn], { signalledByStep: true }))).toBe(false);
  expect(breaks('hook/of-each-end', session([...begins, ...turn]))).toBe(true);
  const later = [...begins, ...turn, init(), result()];
  expect(breaks('hook/of-each-end', session(later, { signalledByStep: true }))).toBe(true);
});
