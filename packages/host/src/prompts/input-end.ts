/** All that speaks for or against ending the agent's input. */
export interface InputState {
  /** No prompt will come any more. */
  readonly promptsEnded: boolean;
  /** Control requests that wait for an answer, of either side. */
  readonly openRequests: number;
  /** The agent has nothing to do: every prompt has its result. */
  readonly isIdle: boolean;
  /** Tasks that go on beside the turns, and begin a turn of their own when they end. */
  readonly backgroundTasks: number;
}

/**
 * How long an agent may say nothing when every prompt has its result, in milliseconds: 10 000. One that has not said that it is idle
 * counts as idle then, and so does one that has not begun the turn of a task that has ended.
 */
export const MAX_SILENCE_BEFORE_IDLE_MS = 10_000;

/**
 * Whether the agent's input may end. Its end is final for both: nothing is asked or answered after it, and no turn can be interrupted,
 * so it waits until the agent has done all it was asked for.
 */
export function mayEndInput(state: InputState): boolean {
  const { promptsEnded, openRequests, isIdle, backgroundTasks } = state;
  return promptsEnded && openRequests === 0 && isIdle && backgroundTasks === 0;
}
