import { expect, test } from 'vitest';
import { ofType, runLines } from '../samples.test-support.ts';
import { copilot } from './copilot.ts';

const line = (type: string, data: object) => ({ type, data, id: 'i', parentId: 'p' });
const end = (exitCode: number) => ({ type: 'result', sessionId: 's', exitCode, usage: { sessionDurationMs: 5 } });

test.each([
  ['abort', line('abort', {})],
  ['an interrupt', line('agent.interrupted', {})],
  ['an idle agent after an abort', line('assistant.idle', { aborted: true })],
])('%s makes the run aborted, whatever its exit code', async (_, mark) => {
  expect((await runLines(copilot, [mark, end(0)], 0)).result).toMatchObject({ ok: false, reason: 'aborted' });
});

test('a refused tool does not fail the run', async () => {
  const start = line('tool.execution_start', { toolCallId: 't', toolName: 'bash', arguments: {} });
  const refused = line('tool.execution_complete', {
    toolCallId: 't',
    success: false,
    error: { message: 'no', code: 'denied' },
  });
  const { events, result } = await runLines(copilot, [start, refused, line('assistant.idle', {}), end(0)]);
  expect(ofType(events, 'tool_result')).toMatchObject([{ output: 'no', isError: true }]);
  expect(result).toMatchObject({ ok: true, sessionId: 's', durationMs: 5 });
});

test('a run without a result and with exit code 0 is incomplete', async () => {
  expect((await runLines(copilot, [line('assistant.idle', {})], 0)).result).toMatchObject({ reason: 'incomplete' });
});

test('the text of a message is yielded once, in pieces or whole', async () => {
  const { events } = await runLines(copilot, [
    line('assistant.message_delta', { messageId: 'a', deltaContent: 'x' }),
    line('assistant.message_delta', { messageId: 'a', deltaContent: 'y' }),
    line('assistant.message', { messageId: 'a', content: 'xy' }),
    line('assistant.message', { messageId: 'b', content: 'z' }),
    line('assistant.reasoning', { reasoningId: 'r', content: 'why' }),
  ]);
  expect(ofType(events, 'text').map(({ text, delta }) => [text, delta])).toEqual([
    ['x', true],
    ['y', true],
    ['z', false],
  ]);
  expect(ofType(events, 'thinking')).toMatchObject([{ text: 'why', delta: false }]);
});

test('types of known families are ignored, and other unknown types are counted', async () => {
  const types = ['session.new_thing', 'model.call_x', 'assistant.hologram', 'future_event', 'assistant.turn_end'];
  const { result } = await runLines(
    copilot,
    types.map((type) => line(type, {})),
  );
  expect(result.stats.unknown).toEqual({ 'assistant.hologram': 1, future_event: 1 });
});

test('a retried turn and partial tool output have their own events', async () => {
  const { events } = await runLines(copilot, [
    line('assistant.turn_retry', { reason: 'overloaded' }),
    line('tool.shell_output', { toolCallId: 't', text: 'o' }),
  ]);
  expect(events.slice(0, 2)).toMatchObject([
    { type: 'retry', message: 'overloaded' },
    { type: 'tool_progress', id: 't', output: 'o' },
  ]);
});
