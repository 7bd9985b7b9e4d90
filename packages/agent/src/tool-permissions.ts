import type { WireMessage } from '@proto/core/framing';
import type { McpServerProvenance } from '@proto/core/internal';
import type { AgentSettings } from './agent-controls.ts';
import type { HookCall } from './hook-callback.ts';
import type { HookOutcome } from './hook-outcome.ts';
import {
  type PermissionDecision,
  permissionDecision,
  permissionFailure,
  type ToolCall,
} from './permission-decision.ts';
import type { PermissionAsk } from './permission-request.ts';
import type { CanUseTool } from './permission-rules.ts';
import type { RunningTurn } from './running-turn.ts';
import type { ToolCaller } from './turn.ts';

/** Whom a tool call needs the leave of. */
export interface ToolPermissionsOptions {
  /** Runs hooks under the turn, and heeds what they say. */
  readonly runHooks: (running: RunningTurn, call: HookCall, signal?: AbortSignal) => Promise<HookOutcome>;
  /** The rules, and who is asked where they leave it open. */
  readonly canUseTool: CanUseTool;
  readonly settings: Pick<AgentSettings, 'permissionMode'>;
  /** The MCP server a tool is of, by its name. */
  readonly provenanceOf: (tool: string) => McpServerProvenance | undefined;
  readonly emit: (message: WireMessage) => void;
}

/** Decides on a tool call of a turn: hooks first, which may answer, change the input or put it off; then the rules and whom they ask. */
export function createToolPermissions({ runHooks, canUseTool, settings, provenanceOf, emit }: ToolPermissionsOptions) {
  return async (
    running: RunningTurn,
    asked: ToolCall,
    { agentID, signal }: ToolCaller = {},
  ): Promise<PermissionDecision> => {
    const { tool, toolUseID } = asked;
    const asking = running.asking(signal);
    // The turn has been cut without it, so it has no part in how that ends.
    if (asking.aborted) return permissionFailure(asking.reason, toolUseID);
    const mcpServer = provenanceOf(tool);
    const about = {
      hook_event_name: 'PreToolUse',
      tool_name: tool,
      tool_input: asked.input,
      tool_use_id: toolUseID,
      ...(mcpServer && { mcp_server: mcpServer }),
      ...(agentID !== undefined && { agent_id: agentID }),
    };
    const outcome = await runHooks(running, about, asking);
    const { updatedInput } = outcome.specific;
    const input = (updatedInput ?? asked.input) as ToolCall['input'];
    const call = { ...asked, input };
    const { permissionMode } = settings;
    const caller = { ...(mcpServer && { mcpServer }), ...(agentID !== undefined && { agentID }) };
    const context = { toolUseID, signal: asking, permissionMode, ...caller };
    const refusal = refusalOf(outcome, call);
    const decision = refusal ?? (await canUseTool(tool, input, { ...context, hookDecision: hookDecision(outcome) }));
    if (outcome.permissionDecision === 'defer') running.defer(call);
    else if (decision.behavior === 'deny' && (!outcome.isFailure || asking.aborted)) {
      running.deny(tool, toolUseID, asked.input, decision.interrupt);
      if (decision.decidedBy === 'rules') emit(deniedNotice(call, decision.message, agentID));
    }
    const { additionalContext } = outcome;
    return additionalContext.length > 0 ? { ...decision, additionalContext } : decision;
  };
}

function refusalOf(outcome: HookOutcome, call: ToolCall): PermissionDecision | undefined {
  const { permissionDecision: said, permissionDecisionReason: reason, stopReason, isFailure } = outcome;
  const message =
    said === 'deny'
      ? `${isFailure ? '' : `PreToolUse:${call.tool} hook error: `}${reason}`
      : said === 'defer'
        ? 'The call is put off.'
        : stopReason;
  return message === undefined ? undefined : permissionDecision({ behavior: 'deny', message }, call, 'hook');
}

function hookDecision({ permissionDecision: said, permissionDecisionReason: reason }: HookOutcome) {
  if (said === 'allow') return { behavior: 'allow' } as const;
  if (said !== 'ask') return undefined;
  return { behavior: 'ask', decisionReason: { type: 'hook', ...(reason && { reason }) } } satisfies PermissionAsk;
}

/** For hosts that show what was refused without asking them. */
function deniedNotice({ tool, toolUseID }: ToolCall, message: string, agentID: string | undefined): WireMessage {
  return {
    type: 'system',
    subtype: 'permission_denied',
    tool_name: tool,
    tool_use_id: toolUseID,
    agent_id: agentID,
    message,
  };
}
