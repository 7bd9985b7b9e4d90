import type { ElicitationResult } from '@proto/core/internal';
import type { HookOutcome } from '../hooks/hook-outcome.ts';
import type { RunHooks } from '../hooks/turn-hooks.ts';
import type { PermissionRequests } from '../permissions/permission-requests.ts';
import type { RunningTurn } from '../turns/running-turn.ts';
import type { ActionState } from './action-state.ts';
import { type Elicitation, handleElicitation } from './elicitation.ts';
import { createSandboxAsk, type SandboxAsk } from './sandbox-ask.ts';

/** What questions to the user are asked through. */
export interface HostQuestionsOptions {
  readonly requests: PermissionRequests;
  readonly action: ActionState;
  readonly runHooks: RunHooks;
}

/** Questions that are put to the user beside those for a tool. While one is open the session waits for an action. */
export interface HostQuestions {
  /** Hooks may answer in the user's place, and change the answer. */
  elicit(elicitation: Elicitation, running: RunningTurn): Promise<ElicitationResult>;
  readonly mayConnect: SandboxAsk;
}

/** Makes what puts questions to the user. */
export function createHostQuestions({ requests, action, runHooks }: HostQuestionsOptions): HostQuestions {
  async function ask(elicitation: Elicitation, running: RunningTurn): Promise<ElicitationResult> {
    const requestId = requests.createId();
    action.asked({ requestId, tool: 'elicitation', input: elicitation, toolUseID: requestId });
    try {
      return await handleElicitation(requests, elicitation, running.asking());
    } finally {
      action.settled(requestId);
    }
  }

  return {
    async elicit(elicitation, running) {
      const before = await runHooks(running, { ...elicitation, hook_event_name: 'Elicitation' });
      const answer = answerOf(before) ?? (await ask(elicitation, running));
      const { mcp_server_name, elicitation_id, mode } = elicitation;
      const about = { mcp_server_name, elicitation_id, mode, ...answer };
      return answerOf(await runHooks(running, { ...about, hook_event_name: 'ElicitationResult' })) ?? answer;
    },
    mayConnect: createSandboxAsk({
      session: requests,
      onPermissionPrompt: (prompt) => action.asked(prompt),
      onPermissionSettled: (requestId) => action.settled(requestId),
    }),
  };
}

function answerOf({ specific: { action, content }, block }: HookOutcome): ElicitationResult | undefined {
  if (block !== undefined) return { action: 'decline' };
  if (action === 'accept') return { action, ...(content !== undefined && { content }) } as ElicitationResult;
  return action === 'decline' || action === 'cancel' ? { action } : undefined;
}
