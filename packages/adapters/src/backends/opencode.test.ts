import { expect, test } from 'vitest';
import { ofType, runLines } from '../samples.test-support.ts';
import { opencode } from './opencode.ts';

const line = (type: string, part: object) => ({ type, sessionID: 'ses', part });
const start = line('step_start', {});
const text = line('text', { text: 'a' });
const finish = (reason: string) =>
  line('step_finish', { reason, tokens: { input: 1, output: 2, cache: {} }, cost: 0.1 });
const error = {
  type: 'error',
  sessionID: 'ses',
  error: { name: 'APIError', data: { message: 'no', statusCode: 400 } },
};

test.each([
  ['a step with the reason stop', [start, text, finish('stop')], 0, 'success'],
  ['a refused permission', [start, finish('tool-calls')], 0, 'incomplete'],
  ['an answer cut by its length', [start, text, finish('length')], 0, 'incomplete'],
  ['a connection cut after a step', [start, finish('stop'), start], 0, 'incomplete'],
  ['no output', [], 0, 'incomplete'],
  ['an error', [error], 1, 'error'],
  ['an error with exit code 0', [error], 0, 'error'],
  ['an interrupt', [start, finish('stop')], 130, 'aborted'],
  ['a signal', [start], 143, 'aborted'],
])('%s', async (_, lines, exitCode, reason) => {
  const { result } = await runLines(opencode, lines, exitCode);
  expect(result).toMatchObject({ reason, ok: reason === 'success', terminalEventSeen: false });
});

test('the first line starts the session, whatever its type', async () => {
  const { events } = await runLines(opencode, [error, text]);
  expect(events.slice(0, 2)).toMatchObject([
    { type: 'session_start', sessionId: 'ses', synthesised: true },
    { type: 'error', message: 'no', fatal: true, code: 'APIError', status: 400 },
  ]);
  expect(ofType(events, 'session_start')).toHaveLength(1);
});

test('the tokens and costs of the steps are added up', async () => {
  const { result } = await runLines(opencode, [start, finish('tool-calls'), start, finish('stop')]);
  expect(result).toMatchObject({ costUsd: 0.2, usage: { inputTokens: 2, outputTokens: 4 } });
});
