import { expect, test } from 'vitest';
import { ofType, runLines } from '../samples.test-support.ts';
import { cursor } from './cursor.ts';
import { goose } from './goose.ts';

const said = (text: string, more: object = {}) => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
  ...more,
});

test('Cursor: the whole text behind its pieces is not said again', async () => {
  const lines = [
    said('a', { timestamp_ms: 1 }),
    said('b', { timestamp_ms: 2 }),
    said('ab', { model_call_id: 'm', timestamp_ms: 3 }),
    said('c'),
  ];
  const { events } = await runLines(cursor, lines);
  expect(ofType(events, 'text').map(({ text, delta }) => [text, delta])).toEqual([
    ['a', true],
    ['b', true],
    ['c', false],
  ]);
});

test('Cursor: without a result it failed', async () => {
  expect((await runLines(cursor, [said('a')], 1)).result).toMatchObject({ ok: false, reason: 'incomplete' });
});

test('Goose: complete behind an error is no success', async () => {
  const lines = [
    { type: 'error', error: 'no credits' },
    { type: 'complete', total_tokens: null },
  ];
  expect((await runLines(goose, lines, 0)).result).toMatchObject({ ok: false, reason: 'error', error: 'no credits' });
});

test('Goose: a tool that failed', async () => {
  const request = {
    type: 'toolRequest',
    id: 'g',
    toolCall: { status: 'success', value: { name: 'x', arguments: {} } },
  };
  const response = { type: 'toolResponse', id: 'g', toolResult: { status: 'error', error: 'gone' } };
  const message = (role: string, block: object) => ({ type: 'message', message: { role, content: [block] } });
  const { events } = await runLines(goose, [message('assistant', request), message('user', response)]);
  expect(ofType(events, 'tool_result')).toMatchObject([{ id: 'g', output: 'gone', isError: true }]);
});
