import type { PermissionPrompt } from '../permissions/ask-host.ts';

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
