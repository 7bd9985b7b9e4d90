import { expect, test } from 'vitest';

import { breaks, ends, init, result, session, task } from '../sessions.test-support.ts';

test('a resumed session may report that the end of the earlier process has stopped a task (INT-31)', () => {
  const stopped = ends({ status: 'stopped' });
  const resumed = { args: ['--resume', 's1'] };
  expect(breaks('task/only-the-named', session([stopped, init(), result()], resumed))).toBe(false);
  expect(breaks('task/only-the-named', session([task('task_started'), stopped, init(), result()], resumed))).toBe(true);
  expect(breaks('task/only-the-named', session([stopped, init(), result()]))).toBe(true);
});
