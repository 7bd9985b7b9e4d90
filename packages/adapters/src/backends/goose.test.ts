import { expect, test } from 'vitest';
import { ofType, runLines } from '../samples.test-support.ts';
import { goose } from './goose.ts';

test('complete after an error is not a success', async () => {
  const lines = [
    { type: 'error', error: 'no credits' },
    { type: 'complete', total_tokens: null },
  ];
  expect((await runLines(goose, lines, 0)).result).toMatchObject({ ok: false, reason: 'error', error: 'no credits' });
});

test('a failed tool yields an error result', async () => {
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
