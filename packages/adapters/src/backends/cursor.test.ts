import { expect, test } from 'vitest';
import { ofType, runLines } from '../samples.test-support.ts';
import { cursor } from './cursor.ts';

const said = (text: string, more: object = {}) => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
  ...more,
});

test('the whole text after its pieces is not repeated', async () => {
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

test('a run without a result is incomplete', async () => {
  expect((await runLines(cursor, [said('a')], 1)).result).toMatchObject({ ok: false, reason: 'incomplete' });
});
