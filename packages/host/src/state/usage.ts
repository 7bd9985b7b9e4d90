import type { WireMessage } from '@proto/core/framing';
import { isRecord } from '@proto/core/internal';
import type { ModelUsage } from '@proto/core/messages';

/** What a session has cost so far, and its last turn. Money is in US dollars. */
export interface SessionUsage {
  /** Of the whole session, also before `/clear`. */
  readonly totalCostUsd: number;
  /** Tokens and cost by model since the conversation began. Use these figures for accounting. */
  readonly modelUsage: Readonly<Record<string, ModelUsage>>;
  /** Of the last turn, as its result tells: the tokens of the main conversation, without subagents. */
  readonly turn: { readonly costUsd: number; readonly usage: Readonly<Record<string, unknown>> };
  /** The cost that the agent has told for the current conversation. */
  readonly conversationCostUsd: number;
}

/** A session that has used nothing. */
export const INITIAL_USAGE: SessionUsage = {
  totalCostUsd: 0,
  modelUsage: {},
  turn: { costUsd: 0, usage: {} },
  conversationCostUsd: 0,
};

/**
 * The usage with one more message; the same object where the message changes nothing. Pure. The cost and the usage by model in a result are
 * of the whole conversation, so they are not added up; its `usage` is of the turn alone.
 */
export function trackUsage(state: SessionUsage, message: WireMessage): SessionUsage {
  if (message.type === 'conversation_reset') return { ...state, conversationCostUsd: 0, modelUsage: {} };
  if (message.type !== 'result') return state;
  const { total_cost_usd: total, usage, modelUsage } = message;
  // The result of a turn that never ran is filled with zeros, which must not reduce the sum.
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
