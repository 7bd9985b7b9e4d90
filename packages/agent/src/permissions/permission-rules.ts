import { ProtocolError } from '@proto/core';
import { checkPermissionResult } from '@proto/core/internal';
import type { McpServerProvenance, PermissionResult, PermissionUpdate } from '@proto/core/messages';
import {
  type PermissionDecision,
  permissionDecision,
  permissionFailure,
  type ToolCall,
} from './permission-decision.ts';
import type { LocalPermission, PermissionAsk } from './permission-request.ts';

export interface PermissionContext {
  readonly toolUseID: string;
  /** An abort cancels the question and denies the call. */
  readonly signal: AbortSignal;
  /** Undefined on the main thread. */
  readonly agentID?: string;
  /** Undefined for the agent's own tools. */
  readonly mcpServer?: McpServerProvenance;
  readonly permissionMode?: string;
  /** A decision made by the turn in place of the local check, which is then not called. */
  readonly forcedDecision?: LocalPermission | undefined;
  /**
   * The decision of `PreToolUse` hooks, which replaces the decision of the local check or of the turn, unless the local check or the turn denies the
   * call.
   */
  readonly hookDecision?: PermissionResult | PermissionAsk | undefined;
}

/** The rules of an agent, and the callback for rule changes. */
export interface PermissionRules {
  /** Applies the agent's rules to a call. Default: the rules leave every call open. */
  readonly check?: (call: ToolCall, context: PermissionContext) => LocalPermission | Promise<LocalPermission>;
  /** Called with rule changes that arrived with a permission. */
  readonly onUpdates?: (updates: readonly PermissionUpdate[]) => void;
}

/** Never rejects, because an error counts as a denial. */
export type CanUseTool = (
  tool: string,
  input: Readonly<Record<string, unknown>>,
  context: PermissionContext,
) => Promise<PermissionDecision>;

/** Decides calls that the rules leave open. If the function throws, the call is denied. */
export type AskForPermission = (
  call: ToolCall,
  ask: PermissionAsk,
  context: PermissionContext,
) => Promise<PermissionDecision>;

/** Runs the agent's own hooks. Returns `undefined` if no hook decides. */
export type OwnPermissionHooks = (
  call: ToolCall,
  ask: PermissionAsk,
  context: PermissionContext,
) => Promise<PermissionResult | undefined>;

/**
 * Asks hooks in place of the host, and calls `decide` with each decision as soon as it arrives. Fulfils when all hooks have answered, and never
 * rejects: a hook that fails counts as undecided.
 */
export type AskPermissionHooks = (
  call: ToolCall,
  ask: PermissionAsk,
  context: PermissionContext,
  decide: (result: PermissionResult) => void,
) => Promise<void>;

export function createPermissionCheck(rules: PermissionRules, askSomebody: AskForPermission): CanUseTool {
  const { check, onUpdates } = rules;

  return async (tool, input, context) => {
    const { toolUseID, signal, mcpServer } = context;
    const call = { tool, input, toolUseID, ...(mcpServer && { mcpServer }) };
    try {
      signal.throwIfAborted();
      const local = context.forcedDecision ?? (check === undefined ? ASK : await check(call, context));
      signal.throwIfAborted();
      const hooked = local.behavior === 'deny' ? undefined : context.hookDecision;
      const said = hooked ?? local;
      const decision =
        said.behavior === 'ask'
          ? await askSomebody(call, said, context)
          : permissionDecision(valid(said), call, hooked ? 'hook' : 'rules');
      if (decision.behavior === 'deny') return decision;
      // The changes apply even if the turn is interrupted right after the permission, because they concern later calls.
      if (decision.updatedPermissions.length > 0) onUpdates?.(decision.updatedPermissions);
      // If the turn was interrupted, nobody would see the result of the tool.
      signal.throwIfAborted();
      return decision;
    } catch (error) {
      return permissionFailure(error, toolUseID);
    }
  };
}

const ASK: PermissionAsk = { behavior: 'ask' };

function valid(result: PermissionResult): PermissionResult {
  const { value, issues } = checkPermissionResult(result);
  if (value === undefined) {
    throw new ProtocolError('invalid-message', 'invalid decision from the agent', { issues });
  }
  return value;
}
