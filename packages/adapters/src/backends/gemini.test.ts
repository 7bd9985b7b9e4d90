import { expect, test } from 'vitest';
import { ofType, runLines } from '../samples.test-support.ts';
import { gemini } from './gemini.ts';

const cut = { type: 'error', severity: 'error', message: 'the answer was cut' };
const failed = { type: 'result', status: 'error', stats: { input_tokens: 9, cached: 4, output_tokens: 1 } };

test('a failed result without an error has the last error that was reported', async () => {
  const { events, result } = await runLines(gemini, [cut, failed], 0);
  expect(ofType(events, 'error')).toHaveLength(1);
  expect(result).toMatchObject({ ok: false, reason: 'error', error: 'the answer was cut', exitCode: 0 });
  expect(result.usage).toMatchObject({ inputTokens: 5, cacheReadTokens: 4 });
});

test('a warning does not fail the run', async () => {
  const { result } = await runLines(gemini, [
    { ...cut, severity: 'warning' },
    { type: 'result', status: 'success' },
  ]);
  expect(result).toMatchObject({ ok: true });
});

test.each([
  [53, 'max_turns'],
  [41, 'error'],
  [55, 'error'],
  [130, 'aborted'],
  [0, 'incomplete'],
  [145, 'incomplete'],
])('without a result, exit code %i is %s', async (exitCode, reason) => {
  expect((await runLines(gemini, [{ type: 'init', session_id: 's' }], exitCode)).result).toMatchObject({ reason });
});

test('exit code 53 marks a turn limit', async () => {
  expect((await runLines(gemini, [cut, failed], 53)).result).toMatchObject({ ok: false, reason: 'max_turns' });
});

test('the output of a tool result is its output, its error, or empty', async () => {
  const result = (more: object) => ({ type: 'tool_result', tool_id: 'x', status: 'success', ...more });
  const { events } = await runLines(gemini, [
    { type: 'tool_use', tool_name: 'read', tool_id: 'x', parameters: {} },
    result({}),
    result({ status: 'error', error: { type: 'a', message: 'no' } }),
  ]);
  expect(ofType(events, 'tool_result').map(({ output, isError }) => [output, isError])).toEqual([
    ['', false],
    ['no', true],
  ]);
});
