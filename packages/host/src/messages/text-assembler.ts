import type { WireMessage } from '@proto/core/framing';
import { isRecord } from '@proto/core/internal';

/**
 * Assembles one text from increments and whole messages. Although a whole message repeats the text of its increments, each piece is added only once.
 */
export interface TextAssembler {
  /**
   * Returns the text that a message adds to its thread. Returns an empty string if the text was already added, or if the message contains no text.
   */
  add(message: WireMessage): string;
}

// The maximum number of remembered threads (the oldest is dropped first), and of remembered UTF-16 units of each. Every whole message is shorter.
const MAX_THREADS = 1000;
const MAX_TEXT_LENGTH = 64 * 1024 * 1024;

/** The main conversation and each subagent are separate threads. */
interface Streaming {
  id: unknown;
  /** The text that was already returned, but has not yet arrived in a whole message. */
  text: string;
}

/**
 * Creates an assembler. The resulting text is the same whether or not the agent sends increments. The texts of several threads are returned in the
 * order in which they arrive. To separate the threads, use one assembler per `parent_tool_use_id`.
 */
export function createTextAssembler(): TextAssembler {
  const threads = new Map<unknown, Streaming>();

  function increment(thread: unknown, event: unknown): string {
    if (!isRecord(event)) return '';
    const { type, message, delta } = event;
    if (type === 'message_start' && isRecord(message)) {
      threads.set(thread, { id: message['id'], text: '' });
      if (threads.size > MAX_THREADS) threads.delete(threads.keys().next().value);
    }
    if (type !== 'content_block_delta' || !isRecord(delta) || delta['type'] !== 'text_delta') return '';
    const text = String(delta['text']);
    const streaming = threads.get(thread);
    if (streaming !== undefined)
      streaming.text = streaming.text.length > MAX_TEXT_LENGTH ? text : streaming.text + text;
    return text;
  }

  /**
   * Each whole block arrives while the next blocks are still being streamed, so its text is at the beginning of the text that was already returned.
   */
  function whole(thread: unknown, message: unknown): string {
    const text = replyText(message);
    const streaming = threads.get(thread);
    if (streaming === undefined || !isRecord(message) || message['id'] !== streaming.id) return text;
    const given = streaming.text;
    if (given.startsWith(text)) {
      streaming.text = given.slice(text.length);
      return '';
    }
    streaming.text = '';
    return text.startsWith(given) ? text.slice(given.length) : text;
  }

  return {
    add({ type, message, event, parent_tool_use_id: thread }) {
      if (type === 'stream_event') return increment(thread, event);
      return type === 'assistant' ? whole(thread, message) : '';
    },
  };
}

function replyText(message: unknown): string {
  const content = isRecord(message) ? message['content'] : undefined;
  if (!Array.isArray(content)) return '';
  return content.map((block) => (isRecord(block) && block['type'] === 'text' ? String(block['text']) : '')).join('');
}
