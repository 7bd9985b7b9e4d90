import type { PendingRequests } from '@proto/core';
import { checkPermissionResult, onAbort } from '@proto/core/internal';
import type { PermissionResult } from '@proto/core/messages';
import { type PermissionDecision, permissionDecision, type ToolCall } from './permission-decision.ts';
import { permissionAnswer, type PermissionAsk, permissionRequest } from './permission-request.ts';
import {
  type CanUseTool,
  createPermissionCheck,
  type PermissionContext,
  type PermissionRules,
} from './permission-rules.ts';

/** The parts of a session that questions for permission use. */
export type PermissionSession = Pick<PendingRequests, 'request' | 'createId'>;

/** A question that is open. */
export interface PermissionPrompt extends ToolCall {
  readonly requestId: string;
}

/** How a question for permission is sent, and which hooks may answer in place of the host. */
export interface CanUseToolOptions extends PermissionRules {
  readonly session: PermissionSession;
  /** Runs the hooks that may answer in place of the host. Returns undefined when no hook decides. */
  readonly permissionRequestHooks?: (
    call: ToolCall,
    ask: PermissionAsk,
    context: PermissionContext,
  ) => Promise<PermissionResult | undefined>;
  /** Called before the question is sent, with the id that the request has on the wire. */
  readonly onPermissionPrompt?: (prompt: PermissionPrompt) => void;
  /** Called when the question is decided, by the host, a hook or an abort, before the decision is returned. */
  readonly onPermissionSettled?: (requestId: string) => void;
}

/**
 * Creates the check of a host that is asked for permissions. The rules of the agent decide first. When they leave the decision open, the host
 * and the hooks are asked at the same time, and the first decision counts. When a hook decides first, the question at the host is cancelled.
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
      // Does nothing after the host has answered. Otherwise it cancels the question, whose rejection comes after the decision.
      controller.abort();
    }
  }

  /** Asks the hooks. A hook that fails has not decided, and must not keep the answer of the host from counting. */
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
