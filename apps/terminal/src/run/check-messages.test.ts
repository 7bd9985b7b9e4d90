import { expect, test, vi } from 'vitest';
import { checkMessages } from './check-messages.ts';

const assistant = (text: unknown) => ({
  type: 'assistant',
  message: {
    role: 'assistant',
    content: [
      { type: 'text', text: 'fine' },
      { type: 'text', text },
    ],
  },
  parent_tool_use_id: null,
  uuid: 'u',
  session_id: 's',
});

const RESULT = {
  duration_ms: 1,
  duration_api_ms: 1,
  is_error: false,
  num_turns: 1,
  result: 'fine',
  stop_reason: null,
  total_cost_usd: 0,
  usage: {},
  permission_denials: [],
  uuid: 'u',
  session_id: 's',
};

test('each problem is reported once, and the message is passed on unchanged', () => {
  const onProblem = vi.fn();
  const check = checkMessages(onProblem);
  for (const text of ['good', 5, 6, null]) {
    const message = assistant(text);
    expect(check(message)).toEqual({ message, dropped: [] });
  }
  expect(onProblem.mock.calls).toEqual([
    ['a message from the agent (assistant) does not match its schema: message.content.[].text: expected string'],
  ]);
  check({ type: 'keep_alive', startup_mark: 5 });
  expect(onProblem).toHaveBeenLastCalledWith(
    'a message from the agent (keep_alive) does not match its schema: startup_mark: expected string',
  );
  check({ type: 'of_another_time', anything: [] });
  expect(onProblem).toHaveBeenCalledTimes(2);
});

test('control characters in member names are escaped', () => {
  const onProblem = vi.fn();
  const usage = { '\u001b[2J\nsjp run: done': 5 };
  checkMessages(onProblem)({
    type: 'control_request',
    request_id: 'r',
    request: { subtype: 'mcp_message', message: usage },
  });
  checkMessages(onProblem)({ ...assistant('good'), usage_report: usage, context_usage: { categories: [] }, error: 5 });
  checkMessages(onProblem)({ type: 'result', subtype: 'success', ...RESULT, modelUsage: usage });
  expect(onProblem.mock.calls.flat().join(' ')).toContain('\\u{1b}[2J\\u{a}sjp run: done');
  expect(onProblem.mock.calls.flat().join(' ')).not.toMatch(/\p{Cc}/u);
});

test('the number of reports is limited', () => {
  const onProblem = vi.fn();
  const check = checkMessages(onProblem);
  for (let index = 0; index < 100; index++)
    check({ ...assistant('good'), type: 'system', subtype: 5, [`m${index}`]: 1 });
  for (let index = 0; index < 100; index++) {
    check({ type: 'result', subtype: 'success', usage: {}, modelUsage: { [`model-${index}`]: 5 } });
  }
  expect(onProblem.mock.calls.length).toBeLessThanOrEqual(20);
});
