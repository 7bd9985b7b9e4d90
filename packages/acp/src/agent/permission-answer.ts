import type * as acp from '@agentclientprotocol/sdk';
import type { PermissionDecision, ToolCaller } from '@proto/agent';
import { isObject, type Members } from '../members.ts';
import type { ToolUse } from './tool-use.ts';

/** A permission as the agent is answered, and why a call that the host has allowed is rejected all the same. */
export interface PermissionAnswer {
  readonly response: acp.RequestPermissionResponse;
  /** The text for the host, if the call is rejected. */
  readonly rejection?: string;
}

/** The question to the host. A permission for good is offered if the agent offers one. */
export function questionFor(
  { name, input }: ToolUse,
  { toolCall: { title }, options }: acp.RequestPermissionRequest,
): NonNullable<ToolCaller['decision']> {
  const { command } = input;
  const rule = { toolName: name, ...(name === 'Bash' && { ruleContent: String(command) }) };
  return {
    behavior: 'ask',
    ...(options.some(({ kind }) => kind === 'allow_always') && {
      suggestions: [{ type: 'addRules', rules: [rule], behavior: 'allow', destination: 'session' }],
    }),
    ...(title && { request: { title } }),
  };
}

/** Chooses the option for a decision. A call with a changed input is rejected, because the agent would run the original input. */
export function permissionAnswer(
  decision: PermissionDecision,
  asked: ToolUse,
  options: readonly acp.PermissionOption[],
): PermissionAnswer {
  const rejected = chosen(options, ['reject_once', 'reject_always']) ?? CANCELLED;
  if (decision.behavior === 'deny') {
    const isCancelled = decision.interrupt || decision.decidedBy === 'failure';
    return { response: isCancelled ? CANCELLED : rejected, rejection: decision.message };
  }
  if (canonical(decision.input) !== canonical(asked.input)) return { response: rejected, rejection: CHANGED };
  const isForGood = decision.updatedPermissions.length > 0;
  const allowed = chosen(options, isForGood ? ['allow_always', 'allow_once'] : ['allow_once']);
  return allowed === undefined ? { response: rejected, rejection: ONLY_FOR_GOOD } : { response: allowed };
}

const CANCELLED: acp.RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };
const CHANGED =
  'The host changed the input of the call. An agent of the Agent Client Protocol cannot use a changed input.';
const ONLY_FOR_GOOD = 'The agent does not offer to allow only this call.';

/** Chooses the option of the first kind that the agent offers. Undefined if the agent offers none of the kinds. */
function chosen(
  options: readonly acp.PermissionOption[],
  kinds: readonly acp.PermissionOptionKind[],
): acp.RequestPermissionResponse | undefined {
  const [option] = kinds.flatMap((kind) => options.filter((each) => each.kind === kind));
  return option && { outcome: { outcome: 'selected', optionId: option.optionId } };
}

/** A text that is the same for equal inputs, whatever the order of their members. */
function canonical(input: Members): string {
  return JSON.stringify(input, (_name, value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}
