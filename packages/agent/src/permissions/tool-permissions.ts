import type { WireMessage } from '@proto/core/framing';
import type { PermissionUpdate } from '@proto/core/messages';
import type { AgentPermissionOptions } from '../agent-options.ts';
import type { AgentWire } from '../agent-wire.ts';
import type { SettingsChanges } from '../controls/settings-changes.ts';
import type { HookOutcome } from '../hooks/hook-outcome.ts';
import type { HookRegistry } from '../hooks/hook-registry.ts';
import type { RunHooks } from '../hooks/turn-hooks.ts';
import type { HostMcpServers } from '../mcp/host-mcp-servers.ts';
import type { RunningTurn } from '../turns/running-turn.ts';
import type { ActionState } from '../turns/session-state.ts';
import type { ToolCaller } from '../turns/turn.ts';
import { type CanUseToolOptions, createCanUseTool } from './ask-host.ts';
import {
  type PermissionDecision,
  permissionDecision,
  permissionFailure,
  type ToolCall,
} from './permission-decision.ts';
import { askPermissionHooks, firstDecision } from './permission-hooks.ts';
import {
  createPromptToolCheck,
  findMcpPromptTool,
  type PermissionPromptToolOptions,
} from './permission-prompt-tool.ts';
import type { PermissionAsk } from './permission-request.ts';
import type { PermissionRequests } from './permission-requests.ts';
import { type CanUseTool, createPermissionCheck } from './permission-rules.ts';

export interface ToolPermissionsParts {
  readonly requests: PermissionRequests;
  readonly hooks: HookRegistry;
  readonly runHooks: RunHooks;
  readonly mcp: HostMcpServers;
  readonly settings: SettingsChanges;
  readonly action: ActionState;
}

export type DecideOnTool = (running: RunningTurn, asked: ToolCall, caller?: ToolCaller) => Promise<PermissionDecision>;

/**
 * `PreToolUse` hooks are asked first, and may decide, change the input or defer the call. Then the agent's rules are applied. If they leave the call
 * open, the host or the permission tool is asked.
 */
export function createToolPermissions(
  { options, send }: AgentWire,
  { requests, hooks, runHooks, mcp, settings, action }: ToolPermissionsParts,
): DecideOnTool {
  const { permissions = {} } = options;
  const canUseTool = chooseCanUseTool(permissions, {
    ...permissions,
    findPromptTool: async (name) => (await permissions.findPromptTool?.(name)) ?? findMcpPromptTool(mcp, name),
    session: requests,
    askHooks: askPermissionHooks(hooks, permissions.hooks),
    onUpdates,
    onPermissionPrompt: (prompt) => action.asked(prompt),
    onPermissionSettled: (requestId) => action.settled(requestId),
  });

  /** Applies a change of the permission mode as if the host had set the mode. All other changes are passed to the owner of the rules. */
  function onUpdates(updates: readonly PermissionUpdate[]): void {
    for (const update of updates) {
      if (update.type === 'setMode') settings.changePermissionMode(update.mode).catch(() => {});
    }
    const others = updates.filter(({ type }) => type !== 'setMode');
    if (others.length > 0) permissions.onUpdates?.(others);
  }

  return async (running, asked, { agentID, decision: forcedDecision, signal } = {}) => {
    const { tool, toolUseID } = asked;
    const asking = running.asking(signal);
    // The turn was interrupted before this call, so the call does not change the result of the turn.
    if (asking.aborted) return permissionFailure(asking.reason, toolUseID);
    const mcpServer = mcp.provenanceOf(tool);
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
    const { permissionMode } = settings.current;
    const caller = { ...(mcpServer && { mcpServer }), ...(agentID !== undefined && { agentID }) };
    const context = { toolUseID, signal: asking, permissionMode, forcedDecision, ...caller };
    const refusal = refusalOf(outcome, call);
    const decision = refusal ?? (await canUseTool(tool, input, { ...context, hookDecision: hookDecision(outcome) }));
    if (outcome.permissionDecision === 'defer') running.defer(call);
    else if (decision.behavior === 'deny' && (!outcome.isFailure || asking.aborted)) {
      running.deny(tool, toolUseID, asked.input, decision.interrupt);
      if (decision.decidedBy === 'rules') send(deniedNotice(call, decision.message, agentID));
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
        ? 'The call is deferred.'
        : stopReason;
  if (message === undefined) return undefined;
  const decision = permissionDecision({ behavior: 'deny', message }, call, 'hook');
  return stopReason === undefined || decision.behavior === 'allow' ? decision : { ...decision, stopReason };
}

function hookDecision({ permissionDecision: said, permissionDecisionReason: reason }: HookOutcome) {
  if (said === 'allow') return { behavior: 'allow' } as const;
  if (said !== 'ask') return undefined;
  return { behavior: 'ask', decisionReason: { type: 'hook', ...(reason && { reason }) } } satisfies PermissionAsk;
}

/** The notice for a call that was denied without asking the host. */
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

export type PermissionSurface = Pick<AgentPermissionOptions, 'promptTool' | 'prompts'>;

/** See `promptTool` and `prompts` of `AgentPermissionOptions`. */
export function chooseCanUseTool(
  { promptTool: name, prompts: surface }: PermissionSurface,
  options: CanUseToolOptions & PermissionPromptToolOptions,
): CanUseTool {
  if (surface === 'host' || (name === 'stdio' && surface === undefined)) return createCanUseTool(options);
  if (name !== undefined && surface === undefined) return createPromptToolCheck(name, options);
  return createPermissionCheck(options, async (call, ask, context) => {
    const { askHooks = async () => {} } = options;
    const decided = await firstDecision((decide) => askHooks(call, ask, context, decide));
    return decided === undefined ? nobodyToAsk(call) : permissionDecision(decided, call, 'hook');
  });
}

function nobodyToAsk(call: ToolCall) {
  const message = `Permission to use ${call.tool} was not granted, and no user is available to ask.`;
  return permissionDecision({ behavior: 'deny', message }, call, 'rules');
}
