import type { WireMessage } from '@proto/core/framing';
import { type Block, freshId } from './blocks.ts';
import type { TurnContext } from './turn-context.ts';
import { tokensOf } from './usage.ts';

/** A reply of the agent: its blocks, and why it stops after them. */
export interface Reply {
  readonly blocks: readonly Block[];
  readonly stopReason: 'end_turn' | 'tool_use';
  /** Called for each complete block within the budget, after its message. */
  readonly onBlock?: (block: Block) => void;
}

/**
 * Streams one message in the order that real agents use: its stream events, and each block as an `assistant` message before its `content_block_stop`.
 * An interrupt ends the current block, which is marked as aborted, and omits the later blocks.
 */
export async function* messageStream(
  { blocks, stopReason, onBlock }: Reply,
  context: TurnContext,
): AsyncGenerator<WireMessage, void, undefined> {
  const { signal } = context.turn;
  const { model } = context;
  const { options } = context.session;
  const usage = context.beginReply();
  const event = (body: object): WireMessage => ({ type: 'stream_event', event: body, ...context.speaker });
  const id = freshId('msg');
  const head = { id, type: 'message', role: 'assistant', model, stop_reason: null, stop_sequence: null, usage };

  if (options.includePartialMessages === true) yield { type: 'system', subtype: 'status', status: 'requesting' };
  yield event({ type: 'message_start', message: { ...head, content: [] } });
  for (const [index, block] of blocks.entries()) {
    if (index > 0 && signal.aborted) break;
    yield event({ type: 'content_block_start', index, content_block: block.start });
    for await (const delta of block.deltas) {
      yield event({ type: 'content_block_delta', index, delta });
      if (signal.aborted) break;
    }
    usage.output_tokens += tokensOf(block.text());
    const message = { ...head, content: [block.whole()] };
    yield { type: 'assistant', message, ...context.speaker, ...(signal.aborted && { aborted: true }) };
    if (!signal.aborted && !context.isSpent(usage)) onBlock?.(block);
    yield event({ type: 'content_block_stop', index });
  }
  const stop_reason = signal.aborted ? null : stopReason;
  context.stopReason = stop_reason;
  yield event({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage });
  yield event({ type: 'message_stop' });
  context.endReply(usage);
}
