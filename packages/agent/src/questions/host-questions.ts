import type { PendingRequests } from '@proto/core';
import { checkElicitationResult, schemaOf } from '@proto/core/internal';
import type { ElicitationResult } from '@proto/core/messages';
import type { HookOutcome } from '../hooks/hook-outcome.ts';
import type { RunHooks } from '../hooks/turn-hooks.ts';
import type { PermissionPrompt, PermissionSession } from '../permissions/ask-host.ts';
import { permissionAnswer, permissionRequest } from '../permissions/permission-request.ts';
import type { PermissionRequests } from '../permissions/permission-requests.ts';
import type { RunningTurn } from '../turns/running-turn.ts';
import type { ActionState } from '../turns/session-state.ts';
import type { Elicitation } from '../turns/turn.ts';

export interface HostQuestionsOptions {
  readonly requests: PermissionRequests;
  readonly action: ActionState;
  readonly runHooks: RunHooks;
}

/** While a question is open, the session state is `requires_action`. */
export interface HostQuestions {
  /** Hooks may answer in place of the user, and may change the answer. */
  elicit(elicitation: Elicitation, running: RunningTurn): Promise<ElicitationResult>;
  readonly requestNetworkAccess: SandboxAsk;
}

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
    requestNetworkAccess: createSandboxAsk({
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

const elicitationResult = schemaOf(checkElicitationResult);

/** Never rejects. Without a valid answer, the action is `cancel`, as if the user had neither accepted nor declined. */
export async function handleElicitation(
  session: Pick<PendingRequests, 'request'>,
  elicitation: Elicitation,
  signal: AbortSignal,
): Promise<ElicitationResult> {
  try {
    const request = { ...elicitation, subtype: 'elicitation' };
    return await session.request(request, { signal, schema: elicitationResult });
  } catch {
    return { action: 'cancel' };
  }
}

/** The tool name in questions from the sandbox. No tool may have this name. */
export const SANDBOX_NETWORK_ACCESS = 'SandboxNetworkAccess';

export interface SandboxAskOptions {
  readonly session: PermissionSession;
  /** Called before the question is sent. */
  readonly onPermissionPrompt?: (prompt: PermissionPrompt) => void;
  /** Called when the question is decided, before the answer is returned. */
  readonly onPermissionSettled?: (requestId: string) => void;
}

/** Never rejects. Returns `true` only if the user allows the connection. */
export type SandboxAsk = (host: string, signal?: AbortSignal) => Promise<boolean>;

export function createSandboxAsk(options: SandboxAskOptions): SandboxAsk {
  const { session, onPermissionPrompt, onPermissionSettled } = options;

  async function ask(host: string, signal: AbortSignal | undefined): Promise<boolean> {
    const requestId = session.createId();
    // A new id is created because the model has not made a tool call. With an id that was used before, the answer would be dropped as a duplicate.
    const call = { tool: SANDBOX_NETWORK_ACCESS, input: { host }, toolUseID: session.createId() };
    const description = `Allow network connection to ${host}?`;
    onPermissionPrompt?.({ ...call, requestId });
    try {
      const result = await session.request(permissionRequest(call, { behavior: 'ask', request: { description } }), {
        requestId,
        schema: permissionAnswer,
        ...(signal && { signal }),
      });
      return result.behavior === 'allow';
    } finally {
      onPermissionSettled?.(requestId);
    }
  }

  return (host, signal) => ask(host, signal).catch(() => false);
}
