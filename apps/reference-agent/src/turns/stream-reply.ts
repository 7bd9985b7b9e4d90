import type { WireMessage } from '@proto/core/framing';
import type { Action } from '../actions.ts';
import { callTool, SerialQueue, type PlannedCall } from '../tools/call-tool.ts';
import { type Block, freshId, textBlock, thinkingBlock, toolUseBlock, splitWords } from './blocks.ts';
import { messageStream } from './message-stream.ts';
import type { TurnContext } from './turn-context.ts';

/**
 * Streams one reply of the agent: its texts and its tool calls. Each call starts as soon as its block is complete. Returns the outcomes of the
 * calls, one on each line.
 */
export async function* streamReply(
  actions: readonly Action[],
  context: TurnContext,
): AsyncGenerator<WireMessage, string, undefined> {
  const said = actions.flatMap((action) => blockOf(action));
  const calls = new Map<Block, PlannedCall>(
    said.flatMap(({ block, call }) => (call === undefined ? [] : [[block, call]])),
  );
  const blocks = said.map(({ block }) => block);
  if (blocks.length === 0) return '';
  if (calls.size > 0) return yield* useTools(blocks, calls, context);
  yield* messageStream({ blocks, stopReason: 'end_turn' }, context);
  context.text = blocks.at(-1)?.text() ?? '';
  return '';
}

function blockOf(action: Action): readonly { readonly block: Block; readonly call?: PlannedCall }[] {
  switch (action.kind) {
    case 'say':
      return [{ block: textBlock(action.pieces) }];
    case 'think':
      return [{ block: thinkingBlock(action.text, splitWords(action.text)) }];
    case 'call': {
      const call = { id: freshId('toolu'), tool: action.tool, input: action.input };
      return [{ block: toolUseBlock(call.id, call.tool, call.input), call }];
    }
    case 'structure':
    case 'end':
      return [];
  }
}

async function* useTools(
  blocks: readonly Block[],
  calls: ReadonlyMap<Block, PlannedCall>,
  context: TurnContext,
): AsyncGenerator<WireMessage, string, undefined> {
  const queue = new SerialQueue();
  const outcomes = new Map<PlannedCall, string>();
  let failure: { readonly error: unknown } | undefined;
  let replied = () => {};
  // Results are sent after the whole reply, even if a tool finishes earlier.
  const replyComplete = new Promise<void>((resolve) => (replied = resolve));
  async function* stream() {
    const onBlock = (block: Block) => {
      const call = calls.get(block);
      if (call === undefined) return;
      sources.add(callTool(call, { context, queue, replyComplete, onOutcome: (text) => outcomes.set(call, text) }));
    };
    try {
      yield* messageStream({ blocks, stopReason: 'tool_use', onBlock }, context);
    } catch (error) {
      // The error is thrown below, after all calls that have begun are done.
      failure = { error };
    }
    replied();
  }
  const sources = new Set<AsyncIterator<WireMessage, void>>([stream()]);
  yield* mergeStreams(sources);
  if (failure !== undefined) throw failure.error;
  await context.takeQueued();
  // The outcomes are in the order of the calls, not in the order in which they finished.
  return Array.from(calls.values(), (call) => outcomes.get(call) ?? '').join('\n');
}

/**
 * Yields the items of several sources as they arrive. One item at a time is requested from each source. Sources may be added at any time. Ends when
 * all sources have ended.
 */
async function* mergeStreams<T>(sources: Set<AsyncIterator<T, void>>): AsyncGenerator<T, void, undefined> {
  const asked = new Map<AsyncIterator<T, void>, ReturnType<typeof ask<T>>>();
  while (sources.size > 0) {
    for (const source of sources) if (!asked.has(source)) asked.set(source, ask(source));
    const { source, next } = await Promise.race(asked.values());
    asked.delete(source);
    if (next.done === true) sources.delete(source);
    else yield next.value;
  }
}

async function ask<T>(source: AsyncIterator<T, void>) {
  return { source, next: await source.next() };
}
