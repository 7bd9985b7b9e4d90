import { checkPermissionResult, isRecord } from '@proto/core/internal';
import type { PermissionResult } from '@proto/core/messages';
import type { HookCall, HookCallback } from '../hooks/hook-callback.ts';
import type { HookRegistry } from '../hooks/hook-registry.ts';
import type { AskPermissionHooks, OwnPermissionHooks, PermissionContext } from './permission-rules.ts';

export async function runPermissionHooks(
  hooks: readonly HookCallback[],
  input: HookCall,
  { toolUseID, signal }: Pick<PermissionContext, 'toolUseID' | 'signal'>,
  decide: (result: PermissionResult) => void,
): Promise<void> {
  const take = (output: unknown) => decideBy(decisionIn(output), decide);
  // Each answer is read twice: when it arrives, and when the promise settles. The promise also settles if the hook does not answer.
  await Promise.all(hooks.map(async ({ callback }) => take(await callback(input, toolUseID, signal, take))));
}

export function askPermissionHooks(
  registry: Pick<HookRegistry, 'matching' | 'inputOf'>,
  own?: OwnPermissionHooks,
): AskPermissionHooks {
  return async (call, ask, context, decide) => {
    const about = {
      hook_event_name: 'PermissionRequest',
      tool_name: call.tool,
      tool_input: call.input,
      permission_suggestions: ask.suggestions,
      mcp_server: call.mcpServer ?? ask.request?.mcp_server,
      agent_id: context.agentID,
    };
    const hosts = async () => runPermissionHooks(registry.matching(about), registry.inputOf(about), context, decide);
    const owns = async () => decideBy(await own?.(call, ask, context), decide);
    await Promise.allSettled([hosts(), owns()]);
  };
}

/** Returns `undefined` if all hooks have answered without a decision. */
export function firstDecision(ask: (decide: (result: PermissionResult) => void) => Promise<void>) {
  return new Promise<PermissionResult | undefined>((resolve) => {
    void ask(resolve).finally(() => resolve(undefined));
  });
}

/** An invalid result leaves the decision open. */
function decideBy(result: unknown, decide: (result: PermissionResult) => void): void {
  const { value } = checkPermissionResult(result);
  if (value !== undefined) decide(value);
}

function decisionIn(output: unknown): unknown {
  const specific = isRecord(output) ? output['hookSpecificOutput'] : undefined;
  return isRecord(specific) && specific['hookEventName'] === 'PermissionRequest' ? specific['decision'] : undefined;
}
