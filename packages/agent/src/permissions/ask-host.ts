import type { PendingRequests } from '@proto/core';
import { onAbort } from '@proto/core/internal';
import { type PermissionDecision, permissionDecision, type ToolCall } from './permission-decision.ts';
import { permissionAnswer, type PermissionAsk, permissionRequest } from './permission-request.ts';
import {
  type AskPermissionHooks,
  type CanUseTool,
  createPermissionCheck,
  type PermissionContext,
  type PermissionRules,
} from './permission-rules.ts';

export type PermissionSession = Pick<PendingRequests, 'request' | 'createId'>;

export interface PermissionPrompt extends ToolCall {
  readonly requestId: string;
}

export interface CanUseToolOptions extends PermissionRules {
  readonly session: PermissionSession;
  readonly askHooks?: AskPermissionHooks;
  /** Called before the question is sent. */
  readonly onPermissionPrompt?: (prompt: PermissionPrompt) => void;
  /** Called when the host, a hook or an abort has decided the question, before the decision is returned. */
  readonly onPermissionSettled?: (requestId: string) => void;
}

/**
 * The agent's rules decide first. If they leave the decision open, the host and the hooks are asked at the same time, and the first decision counts.
 */
export function createCanUseTool(options: CanUseToolOptions): CanUseTool {
  const { session, askHooks, onPermissionPrompt, onPermissionSettled } = options;

  /**
   * The first event that ends the request to the host decides: the host's answer, an abort, or a hook's decision, which cancels the request as soon
   * as it arrives. The order of messages therefore matters even if they arrive together.
   */
  async function askBoth(
    requestId: string,
    call: ToolCall,
    ask: PermissionAsk,
    context: PermissionContext,
  ): Promise<PermissionDecision> {
    const { signal, agentID } = context;
    signal.throwIfAborted();
    const controller = new AbortController();
    const forget = onAbort(signal, () => controller.abort(signal.reason));
    try {
      // The order matters: the question must be on the wire before any hook is called.
      const requestOptions = { requestId, signal: controller.signal, schema: permissionAnswer };
      const answer = session.request(permissionRequest(call, ask, agentID), requestOptions);
      void askHooks?.(call, ask, context, (result) =>
        controller.abort(new HookDecided(permissionDecision(result, call, 'hook'))),
      );
      return permissionDecision(await answer, call, 'host');
    } catch (error) {
      if (error instanceof HookDecided) return error.decision;
      throw error;
    } finally {
      forget();
    }
  }

  return createPermissionCheck(options, async (call, ask, context) => {
    const requestId = session.createId();
    onPermissionPrompt?.({ ...call, requestId });
    try {
      return await askBoth(requestId, call, ask, context);
    } finally {
      onPermissionSettled?.(requestId);
    }
  });
}

/** The reason for cancelling a question to the host after a hook has decided. */
class HookDecided {
  readonly decision: PermissionDecision;

  constructor(decision: PermissionDecision) {
    this.decision = decision;
  }
}
