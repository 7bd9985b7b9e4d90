import { isRecord } from '@proto/core/internal';
import type { HookJSONOutput, SyncHookJSONOutput } from '@proto/core/messages';
import { isStandIn } from './hook-failure.ts';

/** Strictest first. The strictest decision counts, so a single denial outweighs all permissions. */
const DECISIONS = ['deny', 'defer', 'ask', 'allow'] as const;

/** The joined outputs of all hooks of one event. */
export interface HookOutcome {
  /** The strictest decision on the tool call. Undefined if no hook made a decision. */
  readonly permissionDecision?: (typeof DECISIONS)[number];
  /** The reason for the decision. */
  readonly permissionDecisionReason?: string;
  /** True if the tool is not called only because a hook failed. */
  readonly isFailure?: true;
  /** Why the event must not proceed. Undefined if the event may proceed. */
  readonly block?: string;
  /** Why the turn ends, if a hook has answered `continue: false`. Undefined if the turn continues. */
  readonly stopReason?: string;
  /** Texts from hooks for the model. */
  readonly additionalContext: readonly string[];
  /** Texts from hooks for the user. */
  readonly systemMessages: readonly string[];
  /**
   * The members that only this event has, such as `updatedInput`, `updatedToolOutput` and `retry`. If several hooks set a member, the value from the
   * hook that was registered last counts.
   */
  readonly specific: Readonly<Record<string, unknown>>;
}

/** `outputs` are in the order in which the hooks were registered. */
export function mergeHookOutputs(event: string, outputs: readonly HookJSONOutput[]): HookOutcome {
  // A hook that continues in the background does not decide.
  const decided = outputs.filter((output): output is SyncHookJSONOutput => !('async' in output && output.async));
  const specifics = decided.flatMap(({ hookSpecificOutput: specific }) =>
    isRecord(specific) && specific['hookEventName'] === event ? [specific as Record<string, unknown>] : [],
  );
  const stopped = decided.find((output) => output.continue === false);
  const blocking = decided.find(({ decision }) => decision === 'block');
  const decisions = decided.flatMap((output) => decisionOf(event, output));
  const [first] = decisions.toSorted((a, b) => DECISIONS.indexOf(a.decision) - DECISIONS.indexOf(b.decision));
  return {
    ...(first && { permissionDecision: first.decision, permissionDecisionReason: first.reason }),
    ...(first?.isFailure && { isFailure: true }),
    ...(blocking && { block: blocking.reason ?? 'Blocked by hook' }),
    ...(stopped && { stopReason: stopped.stopReason ?? 'Stopped by hook' }),
    additionalContext: specifics.flatMap(({ additionalContext: text }) => (typeof text === 'string' ? text : [])),
    systemMessages: decided.flatMap(({ systemMessage }) => systemMessage ?? []),
    specific: Object.assign({}, ...specifics) as Record<string, unknown>,
  };
}

/** If the newer member `permissionDecision` is missing, the older members at the top level are read. */
function decisionOf(
  event: string,
  output: SyncHookJSONOutput,
): readonly { decision: (typeof DECISIONS)[number]; reason: string; isFailure: boolean }[] {
  const { decision, reason = '', hookSpecificOutput: specific } = output;
  const said = isRecord(specific) && specific['hookEventName'] === event ? specific : {};
  const { permissionDecision, permissionDecisionReason = reason } = said as Record<string, string | undefined>;
  const older = decision === 'approve' ? 'allow' : decision === 'block' ? 'deny' : undefined;
  const named = permissionDecision ?? older;
  if (named === undefined) return [];
  // An unknown decision is not a permission.
  const known = DECISIONS.find((each) => each === named) ?? 'deny';
  return [{ decision: known, reason: permissionDecisionReason, isFailure: isStandIn(output) }];
}
