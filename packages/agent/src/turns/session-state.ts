import type { AgentWire } from '../agent-wire.ts';
import type { PermissionPrompt } from '../permissions/ask-host.ts';
import type { PromptQueue } from '../prompts/prompt-queue.ts';
import type { AgentState } from '../worker/worker-duties.ts';

/** A new session is idle. */
export interface SessionState {
  readonly current: AgentState;
  /** The question that the user must answer is also reported to the server of a worker. A state that has not changed is not reported again. */
  report(state: AgentState, prompt?: PermissionPrompt): void;
}

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

/** Does nothing while a turn is running or waiting, or a subagent is working in the background. */
export function reportIdle(state: SessionState, prompts: PromptQueue, tasks: { readonly isWorking: boolean }): void {
  if (prompts.isIdle && !tasks.isWorking) state.report('idle');
}

/** `details` is the oldest open question, or null if none is open. */
export type ActionReport = (state: 'requires_action' | 'running', details: PermissionPrompt | null) => void;

/** There is one report for each question that opens or closes. */
export interface ActionState {
  asked(prompt: PermissionPrompt): void;
  /** Closing a question again changes nothing. */
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
