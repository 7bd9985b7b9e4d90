import { ProtocolError } from '@proto/core';
import {
  checkPermissionResult,
  type McpServerProvenance,
  type PermissionResult,
  type PermissionUpdate,
} from '@proto/core/internal';
import {
  type PermissionDecision,
  permissionDecision,
  permissionFailure,
  type ToolCall,
} from './permission-decision.ts';
import type { LocalPermission, PermissionAsk } from './permission-request.ts';

/** A tool call within its turn. */
export interface PermissionContext {
  readonly toolUseID: string;
  /** The turn's: aborting takes the question back, and is no permission. */
  readonly signal: AbortSignal;
  /** The subagent that wants to make the call. */
  readonly agentID?: string;
  /** The MCP server the tool is of. */
  readonly mcpServer?: McpServerProvenance;
  /** The mode that holds. */
  readonly permissionMode?: string;
  /** What hooks ahead of the call have said: it takes the place of what the local check says, but for a denial. */
  readonly hookDecision?: PermissionResult | PermissionAsk | undefined;
}

/** What an agent decides by itself, and what it remembers of the decisions of others. */
export interface PermissionRules {
  /** The agent's own rules. Default: every call is asked for. */
  readonly localPermissionCheck?: (
    call: ToolCall,
    context: PermissionContext,
  ) => LocalPermission | Promise<LocalPermission>;
  /** Remembers the changes of the rules that came with a permission. */
  readonly applyPermissionUpdates?: (updates: readonly PermissionUpdate[]) => void;
}

/** Decides whether a tool call may be made. Never rejects: whatever goes wrong is a denial. */
export type CanUseTool = (
  tool: string,
  input: Readonly<Record<string, unknown>>,
  context: PermissionContext,
) => Promise<PermissionDecision>;

/** Decides what the rules leave open. What it throws is a denial. */
export type AskForPermission = (
  call: ToolCall,
  ask: PermissionAsk,
  context: PermissionContext,
) => Promise<PermissionDecision>;

/** Asks the agent's own rules, and somebody else where they leave it open. */
export function createPermissionCheck(rules: PermissionRules, askSomebody: AskForPermission): CanUseTool {
  const { localPermissionCheck, applyPermissionUpdates } = rules;

  return async (tool, input, context) => {
    const { toolUseID, signal, mcpServer } = context;
    const call = { tool, input, toolUseID, ...(mcpServer && { mcpServer }) };
    try {
      signal.throwIfAborted();
      const local = localPermissionCheck === undefined ? ASK : await localPermissionCheck(call, context);
      signal.throwIfAborted();
      const hooked = local.behavior === 'deny' ? undefined : context.hookDecision;
      const said = hooked ?? local;
      const decision =
        said.behavior === 'ask'
          ? await askSomebody(call, said, context)
          : permissionDecision(valid(said), call, hooked ? 'hook' : 'rules');
      if (decision.behavior === 'deny') return decision;
      // Also when the abort came right behind the permission: the turn is over, and what runs now runs for nobody.
      signal.throwIfAborted();
      if (decision.updatedPermissions.length > 0) applyPermissionUpdates?.(decision.updatedPermissions);
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
    throw new ProtocolError('invalid-message', 'invalid decision of the local check', { issues });
  }
  return value;
}
