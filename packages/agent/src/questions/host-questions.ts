import type { PendingRequests } from '@proto/core';
import {
  checkElicitationResult,
  type ElicitationResult,
  schemaOf,
  type SDKControlElicitationRequest,
} from '@proto/core/internal';
import type { HookOutcome } from '../hooks/hook-outcome.ts';
import type { RunHooks } from '../hooks/turn-hooks.ts';
import type { PermissionPrompt, PermissionSession } from '../permissions/ask-host.ts';
import { permissionAnswer, permissionRequest } from '../permissions/permission-request.ts';
import type { PermissionRequests } from '../permissions/permission-requests.ts';
import type { RunningTurn } from '../turns/running-turn.ts';
import type { ActionState } from '../turns/session-state.ts';

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

const elicitationResult = schemaOf(checkElicitationResult);

/** What a server asks the user, without the `subtype` of its request. */
export type Elicitation = Omit<SDKControlElicitationRequest, 'subtype'>;

/**
 * Puts a question of an MCP server to the user. Never rejects: without a valid answer it is cancelled, which is what a server is
 * told when the user has neither accepted nor declined.
 */
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

/** Stands in place of a tool where the sandbox asks; no tool may have this name. */
export const SANDBOX_NETWORK_ACCESS = 'SandboxNetworkAccess';

/** What a question for the network is sent with, and who hears of it. */
export interface SandboxAskOptions {
  readonly session: PermissionSession;
  /** Called before the question is sent; the id is the one on the wire. */
  readonly onPermissionPrompt?: (prompt: PermissionPrompt) => void;
  /** Called when that question is decided, before the answer is given. */
  readonly onPermissionSettled?: (requestId: string) => void;
}

/** Whether a command in the sandbox may connect to a host. Never rejects: true is the user's answer, false all else. */
export type SandboxAsk = (host: string, signal?: AbortSignal) => Promise<boolean>;

/** Makes the function that asks the host whether the sandbox may connect. */
export function createSandboxAsk(options: SandboxAskOptions): SandboxAsk {
  const { session, onPermissionPrompt, onPermissionSettled } = options;

  async function ask(host: string, signal: AbortSignal | undefined): Promise<boolean> {
    const requestId = session.createId();
    // No call of the model's: an id of its own keeps the answer from being a duplicate of another.
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
