import type { AgentWire } from '../agent-wire.ts';
import type { PermissionPrompt } from '../permissions/ask-host.ts';
import type { PromptQueue } from '../prompts/prompt-queue.ts';
import type { AgentState } from '../worker/worker-duties.ts';

/** The state of a session, which begins idle. */
export interface SessionState {
  readonly current: AgentState;
  /** Tells a state that is not the current one, with what the user is waited for; a worker is told of each such question. */
  tell(state: AgentState, prompt?: PermissionPrompt): void;
}

/** Makes what tells the state of a session, once for each change. */
export function createSessionState({ options, tell, worker }: AgentWire): SessionState {
  const { sessionStateEvents: events } = options;
  let current: AgentState = 'idle';
  let shown: string | undefined;
  return {
    get current() {
      return current;
    },
    tell(state, prompt) {
      if (state === current && prompt?.requestId === shown) return;
      shown = prompt?.requestId;
      worker?.reportState(state, prompt);
      if (state === current) return;
      current = state;
      const hostOnly = events === 'host-only' && { sdk_host_only: true };
      if (events !== undefined) tell({ type: 'system', subtype: 'session_state_changed', state, ...hostOnly });
    },
  };
}

/** Tells that nothing is left to do, for now; not while a turn runs or waits, or an agent works in the background. */
export function tellIdle(state: SessionState, prompts: PromptQueue, tasks: { readonly isWorking: boolean }): void {
  if (prompts.isIdle && !tasks.isWorking) state.tell('idle');
}
