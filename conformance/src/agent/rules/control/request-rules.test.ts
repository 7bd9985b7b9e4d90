import { expect, test } from 'vitest';

import { asked, cancels, success } from '../broken-decisions.test-support.ts';
import { breaks, deniedResult, denies, hook, result, session } from '../sessions.test-support.ts';

test('the answer of a hook that a turn did not wait for may cross the cancel of the hook (CTL-41)', () => {
  const log = (event: string) =>
    session([
      ...asked,
      { ...hook(event, { tool_input: {} }), request_id: 'h1' },
      denies,
      deniedResult,
      success('h1', {}),
      result(),
      cancels('h1'),
    ]);
  expect(breaks('cancel/open-request', log('PermissionRequest'))).toBe(false);
  expect(breaks('cancel/open-request', log('PostToolUseFailure'))).toBe(true);
});
