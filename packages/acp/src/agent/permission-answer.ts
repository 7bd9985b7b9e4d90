import type { PermissionOption, PermissionOptionKind, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { PermissionDecision, ToolCaller } from '@proto/agent';
import { isObject, type Members } from '../members.ts';
import type { ToolUse } from './tool-use.ts';

/** A permission as the agent is answered, and why a call that the host has allowed is rejected all the same. */
export interface PermissionAnswer {
  readonly response: RequestPermissionResponse;
  /** The text for the host, if the call is rejected. */
  readonly rejection?: string;
}

/** The question to the host. A permission for good is offered if the agent offers one. */
export function questionFor(
  { name, input }: ToolUse,
  title: string | null | undefined,
  options: readonly PermissionOption[],
): NonNullable<ToolCaller['decision']> {
  const { command } = input;
  const rule = { toolName: name, ...(name === 'Bash' && { ruleContent: String(command) }) };
  return {
    behavior: 'ask',
    ...(optionOf(options, 'allow_always') !== undefined && {
      suggestions: [{ type: 'addRules', rules: [rule], behavior: 'allow', destination: 'session' }],
    }),
    ...(title && { request: { title } }),
  };
}

/**
 * Chooses the option for a decision. A call whose input the host has changed is rejected, because the agent would run the original input. A permission
 * for one call never becomes a permission for good.
 */
export function permissionAnswer(
  decision: PermissionDecision,
  asked: ToolUse,
  options: readonly PermissionOption[],
): PermissionAnswer {
  if (decision.behavior === 'deny') {
    const isCancelled = decision.interrupt || decision.decidedBy === 'failure';
    return { response: isCancelled ? CANCELLED : rejected(options), rejection: decision.message };
  }
  if (canonical(decision.input) !== canonical(asked.input)) return { response: rejected(options), rejection: CHANGED };
  const isForGood = decision.updatedPermissions.length > 0;
  const chosen = (isForGood && optionOf(options, 'allow_always')) || optionOf(options, 'allow_once');
  if (chosen === undefined) return { response: rejected(options), rejection: ONLY_FOR_GOOD };
  return { response: selected(chosen) };
}

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };
const CHANGED =
  'The host changed the input of the call. An agent of the Agent Client Protocol cannot use a changed input.';
const ONLY_FOR_GOOD = 'The agent does not offer to allow only this call.';

function rejected(options: readonly PermissionOption[]): RequestPermissionResponse {
  const option = optionOf(options, 'reject_once') ?? optionOf(options, 'reject_always');
  return option === undefined ? CANCELLED : selected(option);
}

function selected({ optionId }: PermissionOption): RequestPermissionResponse {
  return { outcome: { outcome: 'selected', optionId } };
}

function optionOf(options: readonly PermissionOption[], kind: PermissionOptionKind): PermissionOption | undefined {
  return options.find((option) => option.kind === kind);
}

/** A text that is the same for equal inputs, whatever the order of their members. */
function canonical(input: Members): string {
  return JSON.stringify(input, (_name, value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}
