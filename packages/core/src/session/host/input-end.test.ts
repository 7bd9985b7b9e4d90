import { verifies } from '@proto/requirements';
import { expect } from 'vitest';
import { type InputState, mayEndInput } from './input-end.ts';

/** Every state there is: four yes-or-no questions, and none or some of what is counted. */
const STATES: readonly InputState[] = Array.from({ length: 32 }, (_, bits) => ({
  promptsEnded: (bits & 1) !== 0,
  isIdle: (bits & 2) !== 0,
  canBeAsked: (bits & 4) !== 0,
  openRequests: (bits & 8) !== 0 ? 2 : 0,
  backgroundTasks: (bits & 16) !== 0 ? 1 : 0,
}));

const shown = ({ promptsEnded, openRequests, isIdle, canBeAsked, backgroundTasks }: InputState) =>
  [promptsEnded && 'ended', openRequests && 'open', isIdle && 'idle', canBeAsked && 'asked', backgroundTasks && 'tasks']
    .filter(Boolean)
    .join(' ');

verifies('R-3.1', 'of all states the input may end in three', () => {
  expect(STATES.filter(mayEndInput).map(shown)).toEqual(['ended', 'ended idle', 'ended idle asked']);
});
