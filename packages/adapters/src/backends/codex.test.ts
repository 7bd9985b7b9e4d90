import { describe, expect, test } from 'vitest';
import { ofType, runLines } from '../samples.test-support.ts';
import { codex } from './codex.ts';

const item = (phase: string, members: object) => ({ type: `item.${phase}`, item: members });
const done = { type: 'turn.completed', usage: {} };

describe('items', () => {
  test('that are only reported as completed also yield the call', async () => {
    const command = { id: 'i1', type: 'command_execution', command: 'ls', aggregated_output: 'a', status: 'completed' };
    const { events } = await runLines(codex, [item('completed', command), done]);
    expect(events.slice(0, 2)).toMatchObject([
      { type: 'tool_call', id: 'i1', name: 'command_execution', input: { command: 'ls' } },
      { type: 'tool_result', id: 'i1', output: 'a', isError: false },
    ]);
  });

  test('in progress yield their output so far', async () => {
    const command = {
      id: 'i1',
      type: 'command_execution',
      command: 'ls',
      aggregated_output: 'a',
      status: 'in_progress',
    };
    const { events } = await runLines(codex, [item('started', command), item('updated', command)]);
    expect(ofType(events, 'tool_progress')).toMatchObject([{ id: 'i1', output: 'a' }]);
    expect(ofType(events, 'tool_call')).toHaveLength(1);
  });

  test.each(['failed', 'declined'])('with the status %s are errors', async (status) => {
    const command = { id: 'i1', type: 'command_execution', command: 'ls', aggregated_output: '', status };
    expect(ofType((await runLines(codex, [item('completed', command)])).events, 'tool_result')).toMatchObject([
      { isError: true },
    ]);
  });

  test('of an MCP server are named by server and tool, with an error as output', async () => {
    const call = { id: 'i', type: 'mcp_tool_call', server: 's', tool: 't', arguments: { a: 1 }, result: null };
    const failed = { ...call, error: { message: 'gone' }, status: 'failed' };
    const { events } = await runLines(codex, [item('started', call), item('completed', failed)]);
    expect(events.slice(0, 2)).toMatchObject([
      { type: 'tool_call', name: 'mcp__s__t', input: { a: 1 } },
      { type: 'tool_result', output: 'gone', isError: true },
    ]);
  });

  test('of other agents yield calls, and plans yield info events', async () => {
    const agent = { id: 'c', type: 'collab_tool_call', tool: 'spawn_agent', prompt: 'p', status: 'completed' };
    const plan = { id: 'p', type: 'todo_list', items: [{ text: 'a', completed: false }] };
    const { events, result } = await runLines(codex, [item('completed', agent), item('updated', plan)]);
    expect(events.map(({ type }) => type)).toEqual(['tool_call', 'tool_result', 'info', 'complete']);
    expect(result.stats.unknown).toEqual({});
  });
});

test('a connection that recovers is not a failure', async () => {
  const { events, result } = await runLines(codex, [{ type: 'error', message: 'Reconnecting... 1/5' }, done]);
  expect(ofType(events, 'error')).toMatchObject([{ fatal: false }]);
  expect(result).toMatchObject({ ok: true, error: undefined });
});

test('an interrupted run without a final event is incomplete', async () => {
  expect((await runLines(codex, [{ type: 'turn.started' }], 1)).result).toMatchObject({ reason: 'incomplete' });
});
