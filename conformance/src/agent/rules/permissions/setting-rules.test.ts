import { expect, test } from 'vitest';

import { request } from '../broken-decisions.test-support.ts';
import { answer, answered, begins, breaks, prompt, session } from '../sessions.test-support.ts';

const sets = (id: string, mode: string) => [
  request(id, 'set_permission_mode', { mode }),
  answer(id, { subtype: 'success', response: { mode } }),
];

test('a mode may take effect in the turn after one that has no result (PRM-27)', () => {
  const log = (permissionMode: string) =>
    session([
      ...sets('a', 'acceptEdits'),
      prompt,
      begins({ permissionMode: 'acceptEdits' }),
      ...sets('b', 'plan'),
      begins({ permissionMode }),
      answered(),
    ]);
  expect(breaks('setting/mode', log('plan'))).toBe(false);
  expect(breaks('setting/mode', log('acceptEdits'))).toBe(false);
  expect(breaks('setting/mode', log('default'))).toBe(true);
});
