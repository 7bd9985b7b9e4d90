import { expect, test } from 'vitest';

import { aborted, asked, cancels, waits } from '../broken-decisions.test-support.ts';
import { answered, breaks, init, own, session, state, states, user } from '../sessions.test-support.ts';

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

test('an agent that a signal has ended need not report the state running (TRN-49)', () => {
  const failed = user([{ type: 'tool_result', tool_use_id: 't1', is_error: true, content: 'no' }]);
  const parts = [...asked, states('requires_action'), cancels('q1'), failed, aborted()];
  for (const rule of ['state/running-again', 'state/question']) {
    expect(breaks(rule, session(parts, { signalledByStep: true }))).toBe(false);
    expect(breaks(rule, session(parts))).toBe(true);
  }
});
