import { ProtocolError } from '../errors.ts';
import type { PermissionResult, PermissionUpdate } from '../messages/permissions.ts';
import { AbortListeners } from '../transport/abort-listeners.ts';
import { checkPermissionResult } from './control-checks.ts';
import type { PendingRequests } from './pending-requests.ts';
import {
  type PermissionDecision,
  permissionDecision,
  permissionFailure,
  type ToolCall,
} from './permission-decision.ts';
import { type LocalPermission, type PermissionAsk, permissionRequest } from './permission-request.ts';
import { schemaOf } from './schema-of.ts';

/** What the bridge asks through: the pending requests of a session, or what stands for them. */
export type PermissionSession = Pick<PendingRequests, 'request' | 'createId'>;

/** A tool call within its turn. */
export interface PermissionContext {
  readonly toolUseID: string;
  /** The turn's: aborting takes the question back, and is no permission. */
  readonly signal: AbortSignal;
  /** The subagent that wants to make the call. */
  readonly agentID?: string;
  /** Takes the place of the local check. */
  readonly forcedDecision?: LocalPermission;
}

/** A question that is open. */
export interface PermissionPrompt extends ToolCall {
  readonly requestId: string;
}

export interface CanUseToolOptions {
  readonly session: PermissionSession;
  /** The agent's own rules. Default: every call is asked for. */
  readonly localPermissionCheck?: (
    call: ToolCall,
    context: PermissionContext,
  ) => LocalPermission | Promise<LocalPermission>;
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
  /** Remembers the changes of the rules that came with a permission. */
  readonly applyPermissionUpdates?: (updates: readonly PermissionUpdate[]) => void;
}

/** Decides whether a tool call may be made. Never rejects: whatever goes wrong is a denial. */
export type CanUseTool = (
  tool: string,
  input: Readonly<Record<string, unknown>>,
  context: PermissionContext,
) => Promise<PermissionDecision>;

const permissionResult = schemaOf(checkPermissionResult);

/**
 * Asks the agent's own rules first; where they leave it open, the host and the hooks at once, and the first to decide wins. A hook
 * that wins takes the question back at the host.
 */
export function createCanUseTool(options: CanUseToolOptions): CanUseTool {
  const { session, localPermissionCheck = () => ASK, permissionRequestHooks } = options;
  const { onPermissionPrompt, onPermissionSettled, applyPermissionUpdates } = options;
  // One listener for all the calls of a turn.
  const aborts = new AbortListeners();

  async function prompt(call: ToolCall, ask: PermissionAsk, context: PermissionContext): Promise<PermissionDecision> {
    const requestId = session.createId();
    onPermissionPrompt?.({ ...call, requestId });
    try {
      return await race(requestId, call, ask, context);
    } finally {
      onPermissionSettled?.(requestId);
    }
  }

  async function race(requestId: string, call: ToolCall, ask: PermissionAsk, context: PermissionContext) {
    const { signal } = context;
    const controller = new AbortController();
    const forget = aborts.add(signal, () => controller.abort(signal.reason));
    const body = permissionRequest(call, ask, context.agentID);
    // In this order: the question is on the wire before any hook has been called.
    const host = session
      .request(body, { requestId, signal: controller.signal, schema: permissionResult })
      .then((result) => permissionDecision(result, call, 'host'));
    // When a hook wins, it rejects with the cancel and nobody looks.
    host.catch(() => {});
    try {
      return await Promise.race([host, hooks(call, ask, context).then((decision) => decision ?? host)]);
    } finally {
      forget();
      // Nothing when the host has answered; else it takes the question back.
      controller.abort();
    }
  }

  /** What the hooks decide. A hook that fails has not decided, and must not keep the host's answer from counting. */
  async function hooks(call: ToolCall, ask: PermissionAsk, context: PermissionContext) {
    try {
      const { value } = checkPermissionResult(await permissionRequestHooks?.(call, ask, context));
      return value && permissionDecision(value, call, 'hook');
    } catch {
      return undefined;
    }
  }

  return async (tool, input, context) => {
    const { toolUseID, signal } = context;
    const call = { tool, input, toolUseID };
    try {
      signal.throwIfAborted();
      const local = context.forcedDecision ?? (await localPermissionCheck(call, context));
      signal.throwIfAborted();
      const decision =
        local.behavior === 'ask' ? await prompt(call, local, context) : permissionDecision(valid(local), call, 'rules');
      if (decision.behavior === 'allow' && decision.updatedPermissions.length > 0) {
        applyPermissionUpdates?.(decision.updatedPermissions);
      }
      return decision;
    } catch (error) {
      return permissionFailure(error, toolUseID);
    }
  };
}

const ASK: PermissionAsk = { behavior: 'ask' };

function valid(result: PermissionResult): PermissionResult {
  const { value, issues } = checkPermissionResult(result);
  if (value === undefined)
    throw new ProtocolError('invalid-message', 'invalid decision of the local check', { issues });
  return value;
}
