import { type HookJSONOutput, isRecord, type SyncHookJSONOutput } from '@proto/core/internal';
import { isStandIn } from './hook-failure.ts';

/** What hooks may say of a tool call, the strictest first: one that forbids it outweighs all that allow it. */
const DECISIONS = ['deny', 'defer', 'ask', 'allow'] as const;

/** What the hooks of one event come to, all outputs taken together. */
export interface HookOutcome {
  /** May the tool be called: the strictest of what was said; none where no hook has an opinion. */
  readonly permissionDecision?: (typeof DECISIONS)[number];
  /** The reason of that decision. */
  readonly permissionDecisionReason?: string;
  /** Nobody has decided that: a hook has failed, and the tool is not called without its say. */
  readonly isFailure?: true;
  /** Why what the hooks were called for must not happen. */
  readonly block?: string;
  /** Why the turn ends here: a hook has said `continue: false`. */
  readonly stopReason?: string;
  /** What to tell the model along with it. */
  readonly additionalContext: readonly string[];
  /** What to tell the user. */
  readonly systemMessages: readonly string[];
  /** What the outputs say of their event: `updatedInput`, `updatedToolOutput`, `retry` ... The hook registered last counts. */
  readonly specific: Readonly<Record<string, unknown>>;
}

/** Takes the outputs of one event together, in the order the hooks were registered. */
export function mergeHookOutputs(event: string, outputs: readonly HookJSONOutput[]): HookOutcome {
  // What runs on by itself has no say.
  const decided = outputs.filter((output): output is SyncHookJSONOutput => !('async' in output && output.async));
  const specifics = decided.flatMap(({ hookSpecificOutput: specific }) =>
    isRecord(specific) && specific['hookEventName'] === event ? [specific as Record<string, unknown>] : [],
  );
  const stopped = decided.find((output) => output.continue === false);
  const blocking = decided.find(({ decision }) => decision === 'block');
  const judged = decided.flatMap((output) => judgement(event, output));
  const [first] = judged.toSorted((a, b) => DECISIONS.indexOf(a.decision) - DECISIONS.indexOf(b.decision));
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

/** What one output says of the call. The older members at its top count where the newer one is missing. */
function judgement(
  event: string,
  output: SyncHookJSONOutput,
): readonly { decision: (typeof DECISIONS)[number]; reason: string; isFailure: boolean }[] {
  const { decision, reason = '', hookSpecificOutput: specific } = output;
  const said = isRecord(specific) && specific['hookEventName'] === event ? specific : {};
  const { permissionDecision, permissionDecisionReason = reason } = said as Record<string, string | undefined>;
  const older = decision === 'approve' ? 'allow' : decision === 'block' ? 'deny' : undefined;
  const named = permissionDecision ?? older;
  if (named === undefined) return [];
  // A word that nobody knows is no permission.
  const known = DECISIONS.find((each) => each === named) ?? 'deny';
  return [{ decision: known, reason: permissionDecisionReason, isFailure: isStandIn(output) }];
}
