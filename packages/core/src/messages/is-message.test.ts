import { expect, expectTypeOf, test } from 'vitest';

import * as guards from './index.ts';
import type { SDKStatusMessage } from './index.ts';

const matching = (value: unknown) =>
  Object.entries(guards)
    .filter(([name]) => /^is[A-Z]/.test(name))
    .filter(([, guard]) => (guard as (value: unknown) => boolean)(value))
    .map(([name]) => name)
    .toSorted();

test.each([
  [{ type: 'assistant' }, ['isAssistantMessage']],
  [{ type: 'user' }, ['isUserMessage']],
  [{ type: 'user', isReplay: true }, ['isUserMessage', 'isUserMessageReplay']],
  [{ type: 'result', subtype: 'success' }, ['isResultMessage', 'isResultSuccess']],
  [{ type: 'result', subtype: 'error_new' }, ['isResultError', 'isResultMessage']],
  [{ type: 'system', subtype: 'init' }, ['isSystemMessage']],
  [{ type: 'stream_event' }, ['isPartialAssistantMessage']],
  [{ type: 'tool_progress' }, ['isToolProgressMessage']],
  [{ type: 'rate_limit_event' }, ['isRateLimitEvent']],
  [{ type: 'control_request' }, ['isControlRequest']],
  [{ type: 'control_response' }, ['isControlResponse']],
  [{ type: 'control_cancel_request' }, ['isControlCancelRequest']],
  [{ type: 'keep_alive' }, ['isKeepAliveMessage']],
  [{ type: 'hologram' }, []],
  [null, []],
  ['user', []],
  [undefined, []],
])('%j matches exactly the guards %j', (value, names) => {
  expect(matching(value)).toEqual(names);
});

test('isSystemMessage also compares the subtype', () => {
  const value: unknown = { type: 'system', subtype: 'status', status: null };
  expect(guards.isSystemMessage(value, 'init')).toBe(false);
  if (!guards.isSystemMessage(value, 'status')) throw new Error('the guard refused the message');
  expectTypeOf(value).toEqualTypeOf<SDKStatusMessage>();
  expect(value.status).toBe(null);
});
