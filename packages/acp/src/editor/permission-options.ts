import type { PermissionOption, RequestPermissionOutcome } from '@agentclientprotocol/sdk';
import type { PermissionResult, PermissionUpdate, SDKControlPermissionRequest } from '@proto/core/messages';

const REJECTED = 'The user refused permission for this tool call.';
const CANCELLED = 'The user cancelled the turn.';
const EXIT_PLAN_MODE = 'ExitPlanMode';
const ALWAYS = 'allow_always';
const REJECT = 'reject';
/** The modes after a plan. */
const NEXT_MODES = ['acceptEdits', 'default'] as const;

/** The answers that an editor offers for a permission request. If the agent advises against the call, the rejection comes first. */
export function permissionOptions(request: SDKControlPermissionRequest): PermissionOption[] {
  if (request.tool_name === EXIT_PLAN_MODE)
    return [
      { kind: 'allow_always', name: 'Yes, and accept all edits', optionId: 'mode:acceptEdits' },
      { kind: 'allow_once', name: 'Yes, and ask before each edit', optionId: 'mode:default' },
      { kind: 'reject_once', name: 'No, keep planning', optionId: REJECT },
    ];
  const { permission_suggestions: suggestions = [], suppress_always_allow_rule: isOnceOnly } = request;
  const reject: PermissionOption = { kind: 'reject_once', name: 'Reject', optionId: REJECT };
  const allow: PermissionOption[] = [
    ...(suggestions.length === 0 || isOnceOnly === true
      ? []
      : [{ kind: 'allow_always', name: nameOf(suggestions), optionId: ALWAYS } as const]),
    { kind: 'allow_once', name: 'Allow', optionId: 'allow' },
  ];
  return request.default_to_no === true ? [reject, ...allow] : [...allow, reject];
}

/** The answer to a permission request for the option that the user has chosen. An option that was not offered rejects the call. */
export function permissionResult(
  request: SDKControlPermissionRequest,
  outcome: RequestPermissionOutcome,
): PermissionResult {
  if (outcome.outcome === 'cancelled') return { behavior: 'deny', message: CANCELLED, interrupt: true };
  const chosen = permissionOptions(request).find(({ optionId }) => optionId === outcome.optionId);
  if (chosen === undefined || chosen.kind === 'reject_once') return { behavior: 'deny', message: REJECTED };
  const updates = updatesOf(request, chosen.optionId);
  return { behavior: 'allow', updatedInput: request.input, ...(updates.length > 0 && { updatedPermissions: updates }) };
}

/** What changes in the rules of the agent when the user chooses an option. */
function updatesOf(request: SDKControlPermissionRequest, optionId: string): PermissionUpdate[] {
  const mode = NEXT_MODES.find((next) => optionId === `mode:${next}`);
  if (mode !== undefined) return [{ type: 'setMode', mode, destination: 'session' }];
  return optionId === ALWAYS ? [...(request.permission_suggestions ?? [])] : [];
}

/** Describes what the user allows with the suggestions of the agent. */
function nameOf(suggestions: readonly PermissionUpdate[]): string {
  const rules = suggestions.flatMap((update) =>
    'rules' in update && Array.isArray(update.rules)
      ? update.rules.map(({ toolName, ruleContent }) => (ruleContent ? `${toolName}(${ruleContent})` : toolName))
      : [],
  );
  const modes = suggestions.flatMap((update) => (update.type === 'setMode' ? [String(update.mode)] : []));
  const allowed = rules.length > 0 ? `Always allow ${rules.join(', ')}` : 'Always allow';
  return modes.length === 0 ? allowed : `${allowed}, and change to the mode ${modes.join(', ')}`;
}
