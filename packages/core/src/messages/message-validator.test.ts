import { verifies } from '@proto/test-support/verifies';
import { expect } from 'vitest';

import { messageValidator } from './parse-message.ts';

verifies(['PARSE-1', 'PARSE-3'], 'messageValidator passes known and unknown messages, and refuses invalid ones', () => {
  const validate = messageValidator({ direction: 'from-host' });
  const good = { type: 'keep_alive', later: 1 };
  const unknown = { type: 'hologram' };
  expect(validate(good).message).toBe(good);
  expect(validate(unknown)).toEqual({ message: unknown, dropped: [] });
  expect(validate({ type: 'control_cancel_request' })).toEqual({
    issues: [{ path: ['request_id'], message: 'expected string' }],
  });
});

verifies(
  'PARSE-3',
  'a lenient validator omits an invalid optional member, and a strict validator refuses the message',
  () => {
    const message = { type: 'keep_alive', startup_mark: 5 };
    const issue = { path: ['startup_mark'], message: 'expected string' };
    expect(messageValidator({ direction: 'from-host' })(message)).toEqual({
      message: { type: 'keep_alive' },
      dropped: [issue],
    });
    expect(messageValidator({ direction: 'from-host', mode: 'strict' })(message)).toEqual({ issues: [issue] });
  },
);
