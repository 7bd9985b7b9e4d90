import { isRecord } from '@proto/core/internal';
import type { WireMessage } from '@proto/core/framing';
import type { ContentBlock, StreamingBlock } from './snapshot.ts';

// Further blocks are shown when they are complete. An agent writes one block at a time, and each of its subagents does too.
const MAX_BLOCKS = 100;
const NONE: readonly StreamingBlock[] = [];

interface Writing {
  readonly callId: string | undefined;
  readonly index: unknown;
  shown: StreamingBlock;
}

/** The blocks that the agent is writing, as increments report them. An increment of a block whose beginning was missed changes nothing. */
export class StreamingBlocks {
  #writing: Writing[] = [];
  /** The `id` of the message that each thread is writing. */
  readonly #messageIds = new Map<string | undefined, unknown>();
  #count = 0;
  #snapshot: readonly StreamingBlock[] = NONE;
  #isDirty = false;

  /** Processes an increment. Returns whether it changed anything. */
  add({ event, parent_tool_use_id: parent }: WireMessage): boolean {
    if (!isRecord(event)) return false;
    const callId = typeof parent === 'string' ? parent : undefined;
    switch (event['type']) {
      case 'content_block_delta':
        return this.#write(callId, event['index'], event['delta']);
      case 'content_block_start':
        return this.#begin(callId, event['index'], event['content_block']) !== undefined;
      case 'message_start': {
        const had = this.drop(callId);
        if (this.#messageIds.size < MAX_BLOCKS || this.#messageIds.has(callId))
          this.#messageIds.set(callId, isRecord(event['message']) ? event['message']['id'] : undefined);
        return had;
      }
      default:
        return false;
    }
  }

  /** A message with complete blocks has arrived. Each complete block arrives while the next blocks are still being written. */
  complete(callId: string | undefined, messageId: unknown, blocks: readonly ContentBlock[]): void {
    // The blocks of another message will not be continued.
    if (this.#messageIds.get(callId) !== messageId) return void this.drop(callId);
    let left = blocks.filter(({ type }) => kindOf(type) !== undefined).length;
    this.#keep((one) => one.callId !== callId || left-- <= 0);
  }

  /** Drops the unfinished blocks of a thread. Returns whether there were any. */
  drop(callId: string | undefined): boolean {
    this.#messageIds.delete(callId);
    return this.#keep((one) => one.callId !== callId);
  }

  /** Drops all unfinished blocks, because increments may have been lost. */
  dropAll(): boolean {
    this.#messageIds.clear();
    return this.#keep(() => false);
  }

  snapshot(): readonly StreamingBlock[] {
    if (this.#isDirty) this.#snapshot = this.#writing.length === 0 ? NONE : this.#writing.map(({ shown }) => shown);
    this.#isDirty = false;
    return this.#snapshot;
  }

  #begin(callId: string | undefined, index: unknown, block: unknown): Writing | undefined {
    if (!isRecord(block) || !this.#messageIds.has(callId) || this.#writing.length >= MAX_BLOCKS) return undefined;
    const kind = kindOf(block['type']);
    if (kind === undefined) return undefined;
    const text = block['text'] ?? block['thinking'];
    const shown: StreamingBlock = {
      id: `block-${++this.#count}`,
      callId,
      kind,
      text: typeof text === 'string' ? text : '',
      name: kind === 'call' ? String(block['name']) : '',
    };
    const begun: Writing = { callId, index, shown };
    this.#writing.push(begun);
    this.#isDirty = true;
    return begun;
  }

  #write(callId: string | undefined, index: unknown, delta: unknown): boolean {
    if (!isRecord(delta)) return false;
    const piece = delta['text'] ?? delta['thinking'] ?? delta['partial_json'];
    if (typeof piece !== 'string' || piece === '') return false;
    // Some agents do not send the beginning of a block.
    const one =
      this.#writing.findLast((block) => block.callId === callId && block.index === index) ??
      this.#begin(callId, index, { type: String(delta['type']).replace('_delta', '') });
    if (one === undefined) return false;
    const { id, kind, text, name } = one.shown;
    one.shown = { id, callId, kind, text: text + piece, name };
    return (this.#isDirty = true);
  }

  #keep(wanted: (one: Writing) => boolean): boolean {
    const kept = this.#writing.filter(wanted);
    if (kept.length === this.#writing.length) return false;
    this.#writing = kept;
    return (this.#isDirty = true);
  }
}

/** What a block of this type is shown as; undefined if it is shown only when it is complete. */
function kindOf(type: unknown): StreamingBlock['kind'] | undefined {
  if (type === 'text' || type === 'thinking') return type;
  return typeof type === 'string' && type.endsWith('tool_use') ? 'call' : undefined;
}
