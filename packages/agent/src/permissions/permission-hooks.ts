import { checkPermissionResult, isRecord } from '@proto/core/internal';
import type { PermissionResult } from '@proto/core/messages';
import type { HookCall, HookCallback } from '../hooks/hook-callback.ts';
import type { HookRegistry } from '../hooks/hook-registry.ts';
import type { CanUseToolOptions } from './ask-host.ts';
import type { PermissionContext } from './permission-rules.ts';

type PermissionRequestHooks = NonNullable<CanUseToolOptions['permissionRequestHooks']>;

/**
 * Calls the hooks of a `PermissionRequest` at the same time, and returns the first decision among their outputs. Returns undefined when all
 * have answered without a decision.
 */
export async function runPermissionHooks(
  hooks: readonly HookCallback[],
  input: HookCall,
  { toolUseID, signal }: Pick<PermissionContext, 'toolUseID' | 'signal'>,
): Promise<PermissionResult | undefined> {
  const decisions = hooks.map(async ({ callback }) => decisionOf(await callback(input, toolUseID, signal)));
  try {
    return await Promise.any(decisions);
  } catch {
    return undefined;
  }
}

/**
 * Creates the function that asks hooks in place of the host: the hooks that the host has registered, and the hooks of the agent. The first
 * decision counts.
 */
export function permissionRequestHooks(
  registry: Pick<HookRegistry, 'matching' | 'inputOf'>,
  own: PermissionRequestHooks = async () => undefined,
): PermissionRequestHooks {
  return async (call, ask, context) => {
    const about = {
      hook_event_name: 'PermissionRequest',
      tool_name: call.tool,
      tool_input: call.input,
      permission_suggestions: ask.suggestions,
      mcp_server: call.mcpServer ?? ask.request?.mcp_server,
      agent_id: context.agentID,
    };
    const hosts = runPermissionHooks(registry.matching(about), registry.inputOf(about), context);
    const decided = [hosts, own(call, ask, context)].map(async (decision) => {
      const result = await decision;
      if (result === undefined) throw new Error('no decision');
      return result;
    });
    return Promise.any(decided).catch(() => undefined);
  };
}

/** Reads the decision of an output. Throws for an output without a decision. */
function decisionOf(output: unknown): PermissionResult {
  const specific = isRecord(output) ? output['hookSpecificOutput'] : undefined;
  const named = isRecord(specific) && specific['hookEventName'] === 'PermissionRequest';
  const { value } = checkPermissionResult(named ? specific['decision'] : undefined);
  if (value === undefined) throw new Error('no decision');
  return value;
}
