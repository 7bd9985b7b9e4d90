import { expect, test } from 'vitest';
import { summarize } from './test-transport.ts';

test('names the points that ran, the points that ran in part, and the points left out, with each reason once', () => {
  const line = summarize('memory', [
    { point: 11, skipped: 'the transport has no link that can become silent' },
    { point: 1 },
    { point: 1 },
    { point: 8 },
    { point: 8, skipped: 'the transport does not reconnect' },
    { point: 10, skipped: 'the transport does not reconnect' },
    { point: 10, skipped: 'the transport does not reconnect' },
    { point: 2 },
  ]);
  expect(line).toBe(
    'memory: contract points that ran: 1 2 8; ran only partly: 8 (the transport does not reconnect); ' +
      'skipped: 10 (the transport does not reconnect), 11 (the transport has no link that can become silent)',
  );
});

test('says no more than there is', () => {
  expect(summarize('mine', [{ point: 1 }])).toBe('mine: contract points that ran: 1');
  expect(summarize('mine', [{ point: 1, skipped: 'why' }])).toBe(
    'mine: contract points that ran: none; skipped: 1 (why)',
  );
});
