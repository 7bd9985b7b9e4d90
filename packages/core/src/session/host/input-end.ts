/** All that speaks for or against ending the agent's input. */
export interface InputState {
  /** No prompt will come any more. */
  readonly promptsEnded: boolean;
  /** Control requests that wait for an answer, of either side. */
  readonly openRequests: number;
  /** The agent has nothing to do: every prompt has its result. */
  readonly isIdle: boolean;
  /** The agent may ask this side something: hooks, permissions, servers, dialogs. */
  readonly canBeAsked: boolean;
  /** Tasks that go on beside the turns, and begin a turn of their own when they end. */
  readonly backgroundTasks: number;
}

/**
 * Whether the agent's input may end. Its end is final for both: nothing is asked or answered after it, so it waits until nobody can
 * still have something to ask.
 */
export function mayEndInput(state: InputState): boolean {
  const { promptsEnded, openRequests, isIdle, canBeAsked, backgroundTasks } = state;
  return promptsEnded && openRequests === 0 && (isIdle || !canBeAsked) && backgroundTasks === 0;
}
