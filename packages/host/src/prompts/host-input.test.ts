import { verifies } from '@proto/test-support/verifies';
import { expect } from 'vitest';
import { type InputState, mayEndInput } from './host-input.ts';

/** All states: two flags, and zero or more of each count. */
const STATES: readonly InputState[] = Array.from({ length: 16 }, (_, bits) => ({
  promptsEnded: (bits & 1) !== 0,
  isIdle: (bits & 2) !== 0,
  openRequests: (bits & 4) !== 0 ? 2 : 0,
  backgroundTasks: (bits & 8) !== 0 ? 1 : 0,
}));

const shown = ({ promptsEnded, openRequests, isIdle, backgroundTasks }: InputState) =>
  [promptsEnded && 'ended', openRequests && 'open', isIdle && 'idle', backgroundTasks && 'tasks']
    .filter(Boolean)
    .join(' ');

verifies('HOST-13', 'the input may end in one state: prompts ended, idle, and no open work', () => {
  expect(STATES.filter(mayEndInput).map(shown)).toEqual(['ended idle']);
});
