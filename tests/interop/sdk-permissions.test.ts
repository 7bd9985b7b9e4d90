import { describe, expect, test } from 'vitest';
import type { HostRun } from './run-host.ts';
import { kinds, results, runCleanly, texts, toolResults } from './sdk.test-support.ts';

const asked = ({ messages }: HostRun) => messages[0]?.asked ?? [];
const failures = (run: HostRun) => toolResults(run).map(({ is_error }) => is_error);

describe.concurrent('the published SDK decides on tool calls', () => {
  test.each([
    ['every tool in the default mode', ['Write', 'Bash'], [false, false, false]],
    ['every tool with edits accepted', ['Bash'], [false, false, false]],
    ['every tool in plan mode', [], [true, true, true]],
    ['every tool with asking turned off', [], [true, true, true]],
    ['every tool without permissions', [], [false, false, false]],
    ['every tool by rules', [], [false, false, false, true]],
  ])('%s', async (scenario, questions, failed) => {
    const run = await runCleanly(scenario);
    expect(asked(run).map(({ tool }) => tool)).toEqual(questions);
    expect(failures(run)).toEqual(failed);
  });

  test('on a file outside the working directory, whose path is in the request', async () => {
    expect(asked(await runCleanly('a file outside of the directory'))).toMatchObject([
      {
        tool: 'Read',
        blockedPath: '/etc/hostname',
        suggestions: [{ type: 'addDirectories', directories: ['/etc'], destination: 'session' }],
      },
    ]);
  });

  test('for the rest of the session', async () => {
    const run = await runCleanly('a permission for the rest of the session');
    expect(asked(run)).toHaveLength(1);
    expect(texts(run)).toEqual(['one', 'one more']);
  });

  test('and interrupts the turn with a refusal', async () => {
    const run = await runCleanly('a permission that is refused with an interrupt');
    expect(kinds(run).slice(1)).toEqual([
      'system/init',
      'assistant',
      'user',
      'user',
      'result/error_during_execution',
      'thrown',
    ]);
    expect(results(run)).toMatchObject([{ is_error: true, terminal_reason: 'aborted_tools' }]);
  });

  test('on calls that are made at the same time', async () => {
    const run = await runCleanly('several calls at once');
    expect(asked(run)).toMatchObject([{ input: { command: 'echo a' } }, { input: { command: 'echo b' } }]);
    expect(failures(run).filter((isError) => isError)).toHaveLength(1);
    expect(texts(run)).toEqual([expect.stringMatching(/^a\nb\nENOENT/)]);
  });

  test('that nobody was asked about, and the denial says so', async () => {
    const run = await runCleanly('nobody to ask');
    expect(kinds(run)).toEqual([
      'system/init',
      'assistant',
      'system/permission_denied',
      'user',
      'assistant',
      'result/success',
    ]);
    expect(results(run)).toMatchObject([{ permission_denials: [{ tool_name: 'Bash' }] }]);
  });
});
