import type { WireMessage } from '@proto/core/framing';
import { isRecord, type ModelUsage } from '@proto/core/internal';

/** What a session has used so far, and its last turn of that. Money in US dollars. */
export interface SessionUsage {
  /** Over the whole session, also what was before `/clear`. */
  readonly totalCostUsd: number;
  /** By model, since the conversation began: the figure for accounting. */
  readonly modelUsage: Readonly<Record<string, ModelUsage>>;
  /** Of the last turn, as its result has it: the main loop's tokens, without subagents. */
  readonly turn: { readonly costUsd: number; readonly usage: Readonly<Record<string, unknown>> };
  /** What the agent has counted since the conversation began. */
  readonly countedCostUsd: number;
}

/** A session that has used nothing. */
export const INITIAL_USAGE: SessionUsage = {
  totalCostUsd: 0,
  modelUsage: {},
  turn: { costUsd: 0, usage: {} },
  countedCostUsd: 0,
};

/**
 * The usage with one more message; the same object where it tells nothing. Pure. The cost and the usage by model in a result are those
 * of the whole conversation, so that they are not added up; its `usage` is that of the turn.
 */
export function trackUsage(state: SessionUsage, message: WireMessage): SessionUsage {
  if (message.type === 'conversation_reset') return { ...state, countedCostUsd: 0, modelUsage: {} };
  if (message.type !== 'result') return state;
  const { total_cost_usd: total, usage, modelUsage } = message;
  // A result that stands for a turn which never ran is filled with zeros, and so counts nothing back.
  const counted = typeof total === 'number' && total > state.countedCostUsd ? total : state.countedCostUsd;
  const costUsd = counted - state.countedCostUsd;
  return {
    totalCostUsd: state.totalCostUsd + costUsd,
    modelUsage:
      isRecord(modelUsage) && Object.keys(modelUsage).length > 0
        ? (modelUsage as SessionUsage['modelUsage'])
        : state.modelUsage,
    turn: { costUsd, usage: isRecord(usage) ? usage : {} },
    countedCostUsd: counted,
  };
}
