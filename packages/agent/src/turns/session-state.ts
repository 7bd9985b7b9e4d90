import type { AgentWire } from '../agent-wire.ts';
import type { PermissionPrompt } from '../permissions/ask-host.ts';
import type { PromptQueue } from '../prompts/prompt-queue.ts';
import type { AgentState } from '../worker/worker-duties.ts';

/** The state of the session, in the form that hosts receive. A new session is idle. */
export interface SessionState {
  readonly current: AgentState;
  /**
   * Reports a new state, with the question that the user must answer. Each such question is also reported to the server of a worker. A state that has
   * not changed is not reported again.
   */
  report(state: AgentState, prompt?: PermissionPrompt): void;
}

/** Creates the state of a session. Each change is reported once. */
export function createSessionState({ options, send, worker }: AgentWire): SessionState {
  const { output: { stateEvents: events } = {} } = options;
  let current: AgentState = 'idle';
  let shown: string | undefined;
  return {
    get current() {
      return current;
    },
    report(state, prompt) {
      if (state === current && prompt?.requestId === shown) return;
      shown = prompt?.requestId;
      worker?.reportState(state, prompt);
      if (state === current) return;
      current = state;
      const hostOnly = events === 'host-only' && { sdk_host_only: true };
      if (events !== undefined) send({ type: 'system', subtype: 'session_state_changed', state, ...hostOnly });
    },
  };
}

/** Reports that the session is idle, unless a turn is running or waiting, or a subagent is working in the background. */
export function reportIdle(state: SessionState, prompts: PromptQueue, tasks: { readonly isWorking: boolean }): void {
  if (prompts.isIdle && !tasks.isWorking) state.report('idle');
}

/** Called when the agent begins or stops waiting for a decision. `details` is the oldest open question, or null if none is open. */
export type ActionReport = (state: 'requires_action' | 'running', details: PermissionPrompt | null) => void;

/** The open questions to the user. There is one report for each question that opens or closes. */
export interface ActionState {
  asked(prompt: PermissionPrompt): void;
  /** Closes a question. Closing it again changes nothing. */
  settled(requestId: string): void;
}

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
