import type { WireMessage } from '@proto/core';
import type { Action } from './action.ts';
import { type Block, textBlock, thinkingBlock, toolUseBlock } from './block.ts';
import { callTool, type ToolCall } from './call-tool.ts';
import { freshId } from './ids.ts';
import { createLane } from './lane.ts';
import { merge } from './merge.ts';
import { messageStream } from './message-stream.ts';
import type { Thread } from './thread.ts';
import { words } from './words.ts';

/**
 * One reply of the agent: says its texts, and calls its tools, each as soon as its call is whole. Gives what came of the calls, a line
 * for each.
 */
export async function* reply(
  actions: readonly Action[],
  thread: Thread,
): AsyncGenerator<WireMessage, string, undefined> {
  const said = actions.flatMap((action) => blockOf(action));
  const calls = new Map<Block, ToolCall>(
    said.flatMap(({ block, call }) => (call === undefined ? [] : [[block, call]])),
  );
  const blocks = said.map(({ block }) => block);
  if (blocks.length === 0) return '';
  if (calls.size > 0) return yield* useTools(blocks, calls, thread);
  yield* messageStream({ blocks, stopReason: 'end_turn' }, thread);
  thread.text = blocks.at(-1)?.text() ?? '';
  return '';
}

function blockOf(action: Action): readonly { readonly block: Block; readonly call?: ToolCall }[] {
  switch (action.kind) {
    case 'say':
      return [{ block: textBlock(action.pieces) }];
    case 'think':
      return [{ block: thinkingBlock(action.text, words(action.text)) }];
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
  calls: ReadonlyMap<Block, ToolCall>,
  thread: Thread,
): AsyncGenerator<WireMessage, string, undefined> {
  const lane = createLane();
  const told = new Map<ToolCall, string>();
  let failure: { readonly error: unknown } | undefined;
  let replied = () => {};
  // Results belong behind the whole reply, however early a tool is done.
  const whole = new Promise<void>((resolve) => (replied = resolve));
  async function* stream() {
    const onBlock = (block: Block) => {
      const call = calls.get(block);
      if (call === undefined) return;
      sources.add(callTool(call, { thread, lane, whole, tell: (text) => told.set(call, text) }));
    };
    try {
      yield* messageStream({ blocks, stopReason: 'tool_use', onBlock }, thread);
    } catch (error) {
      // The calls that have begun are not left alone with it.
      failure = { error };
    }
    replied();
  }
  const sources = new Set<AsyncIterator<WireMessage, void>>([stream()]);
  yield* merge(sources);
  if (failure !== undefined) throw failure.error;
  await thread.takeQueued();
  // In the order of the calls, whichever was done first.
  return Array.from(calls.values(), (call) => told.get(call) ?? '').join('\n');
}
