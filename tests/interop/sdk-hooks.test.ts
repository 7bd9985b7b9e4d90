import { describe, expect, test } from 'vitest';
import {
  HOOKS_OF_EVERY_EVENT,
  hooksCalled,
  kinds,
  results,
  runCleanly,
  texts,
  toolResults,
} from './sdk.test-support.ts';

describe.concurrent('the published SDK runs hooks', () => {
  test('for every event of a turn, with the input of the event', async () => {
    const run = await runCleanly('hooks of every event');
    expect(hooksCalled(run)).toEqual(HOOKS_OF_EVERY_EVENT);
    const inputs = run.messages[0]?.called ?? [];
    expect(inputs[2]).toMatchObject({
      tool_name: 'Bash',
      tool_input: { command: 'echo a' },
      tool_response: { stdout: 'a' },
    });
    expect(inputs[4]).toMatchObject({ error: 'Exit code 3' });
    expect(inputs.at(-1)).toMatchObject({ stop_hook_active: false });
    expect(toolResults(run)[0]).toMatchObject({ content: 'a\nmore to know' });
  });

  test('that forbid a call', async () => {
    const run = await runCleanly('a hook that forbids');
    expect(toolResults(run)).toMatchObject([{ is_error: true, content: 'PreToolUse:Bash hook error: no' }]);
    expect(results(run)).toMatchObject([{ permission_denials: [{ tool_name: 'Bash' }] }]);
  });

  test('that change the input of a call and permit the call', async () => {
    expect(texts(await runCleanly('a hook that changes the input'))).toEqual(['changed']);
  });

  test('that do not answer in time, and then the call is not made', async () => {
    const run = await runCleanly('a hook that does not answer');
    expect(toolResults(run)).toMatchObject([{ is_error: true, content: expect.stringContaining('timeout') }]);
  });

  test('that fail, and the failure is reported while the turn goes on', async () => {
    const run = await runCleanly('a hook that fails');
    expect(run.messages.find(({ subtype }) => subtype === 'informational')).toMatchObject({
      tag: 'hook_callback_failed',
    });
    expect(toolResults(run)).toMatchObject([{ is_error: false, content: 'a' }]);
  });

  test('that fail and are set to block then, and the call is not made', async () => {
    const run = await runCleanly('a hook that blocks when it fails');
    expect(toolResults(run)).toMatchObject([{ is_error: true, content: expect.stringContaining('hook broke') }]);
    expect(results(run)).toMatchObject([{ subtype: 'success' }]);
  });

  test('that refuse the prompt', async () => {
    const run = await runCleanly('a hook that refuses the prompt');
    expect(kinds(run).slice(1)).toEqual(['system/init', 'system/informational', 'result/success']);
    expect(results(run)).toMatchObject([{ num_turns: 0, result: expect.stringContaining('not this one') }]);
  });

  test('that keep the turn from ending', async () => {
    const run = await runCleanly('a hook that keeps the turn from ending');
    expect(hooksCalled(run)).toEqual(['Stop', 'Stop']);
    expect(results(run)).toHaveLength(1);
    expect(texts(run)).toEqual(['one', expect.any(String), 'more']);
  });
});
