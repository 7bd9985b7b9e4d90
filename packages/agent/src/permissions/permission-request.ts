import type { ControlRequest } from '@proto/core';
import { checkPermissionResult, schemaOf } from '@proto/core/internal';
import type { PermissionResult, PermissionUpdate, SDKControlPermissionRequest } from '@proto/core/messages';
import type { ToolCall } from './permission-decision.ts';

export interface PermissionDecisionReason {
  readonly type: NonNullable<SDKControlPermissionRequest['decision_reason_type']>;
  /** A text for the user, which may contain ANSI colours. */
  readonly reason?: string;
}

/** The decision to ask the host or the permission tool, because the rules leave the call open. */
export interface PermissionAsk {
  readonly behavior: 'ask';
  /** Rule changes to offer with the question. */
  readonly suggestions?: readonly PermissionUpdate[];
  readonly blockedPath?: string;
  readonly decisionReason?: PermissionDecisionReason;
  /** Further members of the request, by their wire names: `title`, `display_name`, `description`, `mcp_server`. */
  readonly request?: Partial<Omit<SDKControlPermissionRequest, 'subtype' | 'tool_name' | 'input' | 'tool_use_id'>>;
}

/** The decision of the agent's rules on a tool call. */
export type LocalPermission = PermissionResult | PermissionAsk;

export const permissionAnswer = schemaOf(checkPermissionResult);

export function permissionRequest(call: ToolCall, ask: PermissionAsk, agentID?: string): ControlRequest {
  const { type, reason } = ask.decisionReason ?? {};
  return {
    subtype: 'can_use_tool',
    tool_name: call.tool,
    mcp_server: call.mcpServer,
    ...ask.request,
    input: call.input,
    permission_suggestions: ask.suggestions,
    blocked_path: ask.blockedPath,
    decision_reason: reason,
    decision_reason_type: type,
    tool_use_id: call.toolUseID,
    agent_id: agentID,
  };
}
