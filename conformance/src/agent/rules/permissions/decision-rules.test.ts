import { expect, test } from 'vitest';

import { asked, ran, success } from '../broken-decisions.test-support.ts';
import { assistant, breaks, hook, init, result, session } from '../sessions.test-support.ts';

test('an agent may run a tool with its original input if the approved input is empty (PRM-14)', () => {
  const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } };
  const log = session([
    init(),
    assistant([call]),
    ...asked.slice(2),
    success('q1', { behavior: 'allow', updatedInput: {} }),
    hook('PostToolUse', { tool_input: call.input, tool_response: '' }),
    ran,
    result(),
  ]);
  expect(breaks('permission/changed-input-runs', log)).toBe(false);
});
