import { expect, test } from 'vitest';

import { waits } from '../broken-decisions.test-support.ts';
import { answered, breaks, init, own, session, state, user } from '../sessions.test-support.ts';

test('a repeated prompt whose turn was interrupted has an echo of its repetition only (TRN-32)', () => {
  const echo = user([], { isReplay: true, uuid: 'p1' });
  const first = [waits('p1'), state('p1', 'queued'), state('p1', 'started'), init(), answered()];
  const log = (end: string) =>
    session([...first, state('p1', end), waits('p1'), echo], { args: ['--replay-user-messages'] });
  expect(breaks('echo/repeated', log('cancelled'))).toBe(false);
  expect(breaks('echo/repeated', log('completed'))).toBe(true);
});

test('a prompt that a hook has blocked need not be echoed (TRN-30)', () => {
  const notice = { type: 'system', subtype: 'informational', prompt_submit_outcome: { prompt_kept: false }, ...own() };
  const log = (...parts: readonly object[]) =>
    session([waits('p1'), init(), ...parts, answered()], { args: ['--replay-user-messages'] });
  expect(breaks('echo/always', log(notice))).toBe(false);
  expect(breaks('echo/always', log())).toBe(true);
});
