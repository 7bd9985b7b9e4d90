import type { WireMessage } from '@proto/core/framing';
import { isRecord } from '@proto/core/internal';

/** Makes one text of increments and whole messages, which say the same: what is added is what was not there before. */
export interface TextAssembler {
  /** The text a message adds to its thread; nothing where it was there already, or has none. */
  add(message: WireMessage): string;
}

// Threads whose text is remembered, of which the oldest are forgotten, and how much of each: no whole message is as long.
const MAX_THREADS = 1000;
const MAX_TEXT_LENGTH = 64 * 1024 * 1024;

/** What one thread streams: the main one, or a subagent. */
interface Streaming {
  /** The id of the message that streams. */
  id: unknown;
  /** What was given out of its text, and not yet come as a whole. */
  text: string;
}

/**
 * Makes an assembler. With or without increments the same text comes out, each thread for itself: give a message that belongs to a
 * subagent to an assembler of its own where threads must not mix.
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

  /** Each block of a message comes whole while the next ones still stream, so it takes off the front of what was given out. */
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
