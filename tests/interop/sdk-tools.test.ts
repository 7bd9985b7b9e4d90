import { describe, expect, test } from 'vitest';
import { runHost } from './run-host.ts';
import { kinds, results, runCleanly, streamed, texts, toolResults } from './sdk.test-support.ts';

const AFTER_INTERRUPT = [
  { subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_tools' },
  { subtype: 'success', result: 'still here' },
];

describe.concurrent('the published SDK has tools', () => {
  test('on its own MCP server, and the agent calls them', async () => {
    const run = await runCleanly('tools of the host');
    expect(run.messages[0]).toMatchObject({
      tools: expect.arrayContaining(['mcp__lab__add', 'mcp__lab__fail']),
      mcp_servers: [{ name: 'lab', status: 'connected' }],
    });
    expect(toolResults(run)).toMatchObject([
      { is_error: false, content: [{ type: 'text', text: '5' }] },
      { is_error: true, content: 'tool broke' },
      { is_error: true },
    ]);
  });

  test('on its own MCP server, and the agent goes on without the servers that initialize delivers and it cannot start', async () => {
    const run = await runHost('servers that initialize delivers');
    expect(run).toMatchObject({ code: 0, leftBehind: false });
    expect(run.messages[0]).toMatchObject({ mcp_servers: [{ name: 'lab', status: 'connected' }] });
    expect(toolResults(run)).toMatchObject([{ is_error: false, content: [{ type: 'text', text: '5' }] }]);
    expect(results(run)).toMatchObject([{ subtype: 'success' }]);
  });

  test('and prompts on its own MCP server, which are slash commands of the agent', async () => {
    const run = await runCleanly('prompts of the host');
    const command = { name: 'mcp__lab__say', description: 'Says it', argumentHint: '<what>' };
    expect(run.messages[0]).toMatchObject({ commands: expect.arrayContaining([command]) });
    expect(run.messages[1]).toMatchObject({ slash_commands: expect.arrayContaining(['mcp__lab__say', 'echo']) });
    expect(results(run)).toMatchObject([{ subtype: 'success', result: 'hello' }]);
  });

  test('on its own MCP server, and interrupts a call', async () => {
    const run = await runCleanly('a tool of the host that is interrupted');
    expect(run.messages[0]).toEqual({ type: 'cancelled', cancelled: true });
    expect(results(run)).toMatchObject(AFTER_INTERRUPT);
  });

  test.each(['a command that is interrupted', 'a subagent that is interrupted'])(
    'of the agent: %s',
    async (scenario) => {
      const run = await runCleanly(scenario);
      expect(results(run)).toMatchObject(AFTER_INTERRUPT);
      expect(toolResults(run).at(-1)).toMatchObject({ is_error: true });
    },
  );

  test('that a subagent uses, and its messages name the call', async () => {
    const run = await runCleanly('a subagent');
    expect(kinds(run)).toEqual([
      'system/init',
      'assistant',
      'system/task_started',
      'assistant',
      'user',
      'assistant',
      'system/task_notification',
      'user',
      'assistant',
      'result/success',
    ]);
    const inside = run.messages.filter(({ parent_tool_use_id: parent }) => typeof parent === 'string');
    expect(inside).toHaveLength(3);
    expect(new Set(inside.map(({ parent_tool_use_id: parent }) => parent)).size).toBe(1);
    expect(results(run)).toMatchObject([{ result: 'inside' }]);
  });

  test('that run in the background: their end starts a turn, even after the input has ended', async () => {
    const run = await runCleanly('a background task');
    expect(kinds(run).slice(-6)).toEqual([
      'system/task_updated',
      'system/task_notification',
      'system/background_tasks_changed',
      'system/init',
      'assistant',
      'result/success',
    ]);
    expect(results(run)).toHaveLength(2);
  });
});

describe.concurrent('the published SDK sees a turn end', () => {
  const thrown = (text: string) => ({
    type: 'thrown',
    message: { content: [{ text: expect.stringContaining(text) }] },
  });

  test('with a structured output', async () => {
    const run = await runCleanly('an output of a certain form');
    expect(results(run)).toMatchObject([{ subtype: 'success', structured_output: { name: 'lab' } }]);
  });

  test.each([
    [
      'an output that never matches the schema',
      'error_max_structured_output_retries',
      'structured_output_retry_exhausted',
    ],
    ['too many turns', 'error_max_turns', 'max_turns'],
    ['too much money', 'error_max_budget_usd', 'budget_exhausted'],
    ['an error of the API', 'success', 'api_error'],
  ])('with an error: %s', async (scenario, subtype, terminal_reason) => {
    const run = await runCleanly(scenario);
    expect(results(run)).toMatchObject([{ subtype, terminal_reason, is_error: true }]);
    expect(run.messages.at(-1)).toMatchObject(thrown('Claude Code returned an error result'));
  });

  test('with an error of the agent', async () => {
    const run = await runCleanly('an error of the agent');
    expect(results(run)).toMatchObject([{ subtype: 'error_during_execution', is_error: true }]);
  });

  test('in an exception if the agent crashes', async () => {
    const run = await runCleanly('a crash');
    expect(results(run)).toEqual([]);
    expect(run.messages.at(-1)).toMatchObject(thrown('exited with code 1'));
  });

  test('with text that is hard to parse', async () => {
    const run = await runCleanly('text that is hard to parse');
    expect(run.messages.find(({ type }) => type === 'assistant')?.message?.content).toMatchObject([
      { type: 'thinking', thinking: 'hard' },
    ]);
    const [, unicode = '', big = ''] = texts(run);
    expect(unicode).toContain('\u2028');
    expect(big).toHaveLength(1_000_000);
    expect(streamed(run)).toBe(texts(run).join(''));
  });
});
