import { expect, test } from 'vitest';
import { ofType, runLines } from '../samples.test-support.ts';
import { pi } from './pi.ts';

const session = { type: 'session', version: 3, id: 's', cwd: '/w' };
const reply = (stopReason: string, more: object = {}) => ({
  type: 'message_end',
  message: { role: 'assistant', content: [{ type: 'text', text: 'a' }], stopReason, ...more },
});
const failed = reply('error', { content: [], errorMessage: 'overloaded' });
const settled = { type: 'agent_settled' };

test.each([
  ['settled after a successful reply', [reply('stop'), { type: 'agent_end', willRetry: false }, settled], 'success'],
  ['settled after a failed reply', [failed, settled], 'error'],
  [
    'settled after a retry that went well',
    [failed, { type: 'agent_end', willRetry: true }, reply('stop'), settled],
    'success',
  ],
  ['an old version that knows no settled', [reply('stop'), { type: 'agent_end', messages: [] }], 'success'],
  ['an old version that failed', [failed, { type: 'agent_end', messages: [] }], 'error'],
  ['a reply that was stopped', [reply('aborted'), settled], 'aborted'],
  ['no prompt', [], 'incomplete'],
  ['the end of a run that will be tried again', [failed, { type: 'agent_end', willRetry: true }], 'incomplete'],
])('%s', async (_, lines, reason) => {
  const { result } = await runLines(pi, [session, ...lines], 0);
  expect(result).toMatchObject({ reason, ok: reason === 'success', sessionId: 's' });
});

test('retried errors are not fatal', async () => {
  const retry = { type: 'auto_retry_start', attempt: 1, maxAttempts: 3, delayMs: 2000, errorMessage: 'overloaded' };
  const { events } = await runLines(pi, [failed, retry, { type: 'auto_retry_end', success: true }, reply('stop')]);
  expect(ofType(events, 'retry')).toMatchObject([{ attempt: 1, max: 3, delayMs: 2000 }]);
  expect(ofType(events, 'error')).toMatchObject([{ message: 'overloaded', fatal: false }]);
});

test('text is yielded once: in pieces, or at the end of its message', async () => {
  const delta = (text: string) => ({
    type: 'message_update',
    assistantMessageEvent: { type: 'text_delta', contentIndex: 0, delta: text },
  });
  const { events } = await runLines(pi, [delta('a'), reply('stop'), reply('stop')]);
  expect(ofType(events, 'text').map(({ delta: isPiece }) => isPiece)).toEqual([true, false]);
});

test('unknown update types are counted', async () => {
  const odd = { type: 'message_update', assistantMessageEvent: { type: 'hologram_delta' } };
  const { result } = await runLines(pi, [odd, { type: 'compaction_start' }, { type: 'future' }]);
  expect(result.stats.unknown).toEqual({ 'message_update/hologram_delta': 1, future: 1 });
});
