import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { RunningTurn } from './running-turn.ts';

verifies('INT-3', 'a turn that hooks have ended is interrupted if the host interrupts it before its result', () => {
  const turn = new RunningTurn('1', []);
  turn.end({ terminal_reason: 'hook_stopped', stop_reason: 'Enough.' });
  turn.withdraw();
  turn.abort();
  expect(turn.isInterrupted).toBe(true);
  expect(turn.interrupted()).toMatchObject({ subtype: 'error_during_execution', is_error: true });
});

test('a turn that leaves a call to the host counts as completed', () => {
  const turn = new RunningTurn('1', []);
  turn.defer({ tool: 'Bash', toolUseID: 't1', input: {} });
  expect(turn.signal.aborted).toBe(true);
  expect(turn.isInterrupted).toBe(false);
});
