import { isRecord } from '@proto/core/internal';
import type { WireMessage } from '@proto/core/framing';
import type { ContentBlock } from './snapshot.ts';

const NO_BLOCKS: readonly ContentBlock[] = [];

/** The content of an `assistant` or `user` message as a list of blocks. A string is one text block. */
export function blocksIn({ message }: WireMessage): readonly ContentBlock[] {
  const content = isRecord(message) ? message['content'] : undefined;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? blocksOf(content) : NO_BLOCKS;
}

/** The values that are blocks, in the given list or in a new one. */
export function blocksOf(values: readonly unknown[]): readonly ContentBlock[] {
  return values.every(isBlock) ? values : values.filter(isBlock);
}

/** The texts among the blocks, each on its own line. */
export function textIn(blocks: readonly ContentBlock[]): string {
  return blocks.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : [])).join('\n');
}

/** The id of the tool call whose subagent sent the message; undefined for the main conversation. */
export function callIdOf({ parent_tool_use_id: parent }: WireMessage): string | undefined {
  return typeof parent === 'string' ? parent : undefined;
}

/** The value, if it is a text. */
export function textOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}

function isBlock(value: unknown): value is ContentBlock {
  return isRecord(value) && typeof value['type'] === 'string';
}
