import type { PendingRequests } from '@proto/core';
import { checkPermissionResult, onAbort, type PermissionResult } from '@proto/core/internal';
import { type PermissionDecision, permissionDecision, type ToolCall } from './permission-decision.ts';
import { permissionAnswer, type PermissionAsk, permissionRequest } from './permission-request.ts';
import {
  type CanUseTool,
  createPermissionCheck,
  type PermissionContext,
  type PermissionRules,
} from './permission-rules.ts';

/** What the bridge asks through: the pending requests of a session, or what stands for them. */
export type PermissionSession = Pick<PendingRequests, 'request' | 'createId'>;

/** A question that is open. */
export interface PermissionPrompt extends ToolCall {
  readonly requestId: string;
}

/** What a question for permission is sent with, and who may answer in the host’s place. */
export interface CanUseToolOptions extends PermissionRules {
  readonly session: PermissionSession;
  /** Runs the hooks that may answer in the host's place; `undefined` where none of them decides. */
  readonly permissionRequestHooks?: (
    call: ToolCall,
    ask: PermissionAsk,
    context: PermissionContext,
  ) => Promise<PermissionResult | undefined>;
  /** Called before the question is sent; the id is the one on the wire. */
  readonly onPermissionPrompt?: (prompt: PermissionPrompt) => void;
  /** Called when that question is decided, whoever did it, before the decision is given. */
  readonly onPermissionSettled?: (requestId: string) => void;
}

/**
 * Asks the agent's own rules first; where they leave it open, the host and the hooks at once, and the first to decide wins. A hook
 * that wins takes the question back at the host.
 */
export function createCanUseTool(options: CanUseToolOptions): CanUseTool {
  const { session, permissionRequestHooks, onPermissionPrompt, onPermissionSettled } = options;

  async function race(
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
      // In this order: the question is on the wire before any hook has been called.
      const requestOptions = { requestId, signal: controller.signal, schema: permissionAnswer };
      const host = session
        .request(permissionRequest(call, ask, agentID), requestOptions)
        .then((result) => permissionDecision(result, call, 'host'));
      return await Promise.race([host, hooks(call, ask, context).then((decision) => decision ?? host)]);
    } finally {
      forget();
      // Nothing when the host has answered; else it takes the question back, and what rejects then has lost the race.
      controller.abort();
    }
  }

  /** What the hooks decide. A hook that fails has not decided, and must not keep the host's answer from counting. */
  async function hooks(
    call: ToolCall,
    ask: PermissionAsk,
    context: PermissionContext,
  ): Promise<PermissionDecision | undefined> {
    try {
      const { value } = checkPermissionResult(await permissionRequestHooks?.(call, ask, context));
      return value && permissionDecision(value, call, 'hook');
    } catch {
      return undefined;
    }
  }

  return createPermissionCheck(options, async (call, ask, context) => {
    const requestId = session.createId();
    onPermissionPrompt?.({ ...call, requestId });
    try {
      return await race(requestId, call, ask, context);
    } finally {
      onPermissionSettled?.(requestId);
    }
  });
}
