import type { PermissionResult } from '../../messages/message-types.ts';
import { checkPermissionResult } from '../control-checks.ts';
import type { HookCall, HookCallback } from './hook-callback.ts';
import { isRecord } from '../is-record.ts';
import type { PermissionContext } from './permission-rules.ts';

/**
 * Calls the hooks of a `PermissionRequest` at once and gives the first decision among their outputs, whatever the others say;
 * `undefined` when all have answered and none has decided.
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

/** What an output decides; throws where it does not. */
function decisionOf(output: unknown): PermissionResult {
  const specific = isRecord(output) ? output['hookSpecificOutput'] : undefined;
  const named = isRecord(specific) && specific['hookEventName'] === 'PermissionRequest';
  const { value } = checkPermissionResult(named ? specific['decision'] : undefined);
  if (value === undefined) throw new Error('no decision');
  return value;
}
