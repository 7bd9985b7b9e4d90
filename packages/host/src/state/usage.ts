import type { WireMessage } from '@proto/core/framing';
import { isRecord } from '@proto/core/internal';
import type { ModelUsage } from '@proto/core/messages';

/** The cost and the tokens of a session so far, and of its last turn. Costs are in US dollars. */
export interface SessionUsage {
  /** The cost of the whole session, including the cost before `/clear`. */
  readonly totalCostUsd: number;
  /** The tokens and the cost of each model since the conversation began. Use these figures for accounting. */
  readonly modelUsage: Readonly<Record<string, ModelUsage>>;
  /** The cost of the last turn, and the tokens in its result, which counts only the main conversation, without subagents. */
  readonly turn: { readonly costUsd: number; readonly usage: Readonly<Record<string, unknown>> };
  /** The cost that the agent has reported for the current conversation. */
  readonly conversationCostUsd: number;
}

export const INITIAL_USAGE: SessionUsage = {
  totalCostUsd: 0,
  modelUsage: {},
  turn: { costUsd: 0, usage: {} },
  conversationCostUsd: 0,
};

/**
 * Returns the usage with one more message counted, or the same object if the message changes nothing. The function has no side effects. The cost and
 * the usage by model in a result count the whole conversation, so they are not added up. The `usage` of a result counts only the turn.
 */
export function trackUsage(state: SessionUsage, message: WireMessage): SessionUsage {
  if (message.type === 'conversation_reset') return { ...state, conversationCostUsd: 0, modelUsage: {} };
  if (message.type !== 'result') return state;
  const { total_cost_usd: total, usage, modelUsage } = message;
  // The result of a turn that never ran contains only zeros, which must not reduce the sum.
  const counted = typeof total === 'number' && total > state.conversationCostUsd ? total : state.conversationCostUsd;
  const costUsd = counted - state.conversationCostUsd;
  return {
    totalCostUsd: state.totalCostUsd + costUsd,
    modelUsage:
      isRecord(modelUsage) && Object.keys(modelUsage).length > 0
        ? (modelUsage as SessionUsage['modelUsage'])
        : state.modelUsage,
    turn: { costUsd, usage: isRecord(usage) ? usage : {} },
    conversationCostUsd: counted,
  };
}
