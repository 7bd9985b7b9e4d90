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

/** The turn of a tool call, and its caller. */
export interface PermissionContext {
  readonly toolUseID: string;
  /** The signal of the turn. Aborting cancels the question, and denies the call. */
  readonly signal: AbortSignal;
  /** The subagent that makes the call; undefined on the main thread. */
  readonly agentID?: string;
  /** The MCP server that has the tool; undefined for a tool of the agent. */
  readonly mcpServer?: McpServerProvenance;
  /** The current permission mode. */
  readonly permissionMode?: string;
  /** The decision that the turn forces. It replaces the local check, which is not called. */
  readonly forcedDecision?: LocalPermission | undefined;
  /** The decision of `PreToolUse` hooks. It replaces the decision of the local check or of the turn, unless that is a denial. */
  readonly hookDecision?: PermissionResult | PermissionAsk | undefined;
}

/** The rules of an agent, and where changes of rules go. */
export interface PermissionRules {
  /** The rules of the agent. Default: the rules leave every call open. */
  readonly check?: (call: ToolCall, context: PermissionContext) => LocalPermission | Promise<LocalPermission>;
  /** Called with changes of rules that came with a permission. */
  readonly onUpdates?: (updates: readonly PermissionUpdate[]) => void;
}

/** Decides whether a tool call may be made. Never rejects: an error is a denial. */
export type CanUseTool = (
  tool: string,
  input: Readonly<Record<string, unknown>>,
  context: PermissionContext,
) => Promise<PermissionDecision>;

/** Decides what the rules leave open. An error that it throws is a denial. */
export type AskForPermission = (
  call: ToolCall,
  ask: PermissionAsk,
  context: PermissionContext,
) => Promise<PermissionDecision>;

/** Runs the hooks of the agent itself. Returns undefined when no hook decides. */
export type OwnPermissionHooks = (
  call: ToolCall,
  ask: PermissionAsk,
  context: PermissionContext,
) => Promise<PermissionResult | undefined>;

/**
 * Asks hooks in place of the host, and calls `decide` with each decision at the moment when it arrives. Fulfils when all hooks have answered,
 * and never rejects: a hook that fails has not decided.
 */
export type AskPermissionHooks = (
  call: ToolCall,
  ask: PermissionAsk,
  context: PermissionContext,
  decide: (result: PermissionResult) => void,
) => Promise<void>;

/** Creates a check that asks the rules of the agent, and `askSomebody` where the rules leave the decision open. */
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
      // Also when the abort follows the permission at once: the turn has ended, and nobody would see the result of the tool.
      signal.throwIfAborted();
      if (decision.updatedPermissions.length > 0) onUpdates?.(decision.updatedPermissions);
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
    throw new ProtocolError('invalid-message', 'invalid decision of the agent', { issues });
  }
  return value;
}
