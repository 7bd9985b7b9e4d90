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

/** Whether the agent waits for a decision: the oldest open question, or null where it goes on by itself. */
export type ActionReport = (state: 'requires_action' | 'running', details: PermissionPrompt | null) => void;

/** Which questions are open, as the one state a session reports: one report for each that comes, and one for each that goes. */
export interface ActionState {
  asked(prompt: PermissionPrompt): void;
  /** The first settlement counts; another of the same question changes nothing. */
  settled(requestId: string): void;
}

/** Makes the state of a session in which nothing waits for the host. */
export function createActionState(report: ActionReport): ActionState {
  const open = new Map<string, PermissionPrompt>();
  return {
    asked(prompt) {
      open.set(prompt.requestId, prompt);
      report('requires_action', prompt);
    },
    settled(requestId) {
      if (!open.delete(requestId)) return;
      const [next] = open.values();
      if (next === undefined) report('running', null);
      else report('requires_action', next);
    },
  };
}
