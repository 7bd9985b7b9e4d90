import { ProtocolError } from '../errors.ts';
import type { WireMessage } from '../framing/parse-line.ts';
import { isRecord } from './control-frames.ts';

/** The content of a user message: a text, or content blocks of the Messages API. */
export type PromptContent = string | readonly Readonly<Record<string, unknown>>[];

/** A user message that waits for its turn. */
export interface Prompt {
  readonly content: PromptContent;
  /** The id the host gave it, where it did. */
  readonly uuid: string | undefined;
}

/**
 * Reads a `user` message of the host. Throws a `ProtocolError` when its role is not `user`: real agents end then too, since a
 * transcript with a wrong role cannot be repaired later.
 */
export function readPrompt(message: WireMessage): Prompt {
  const body = message['message'];
  const role = isRecord(body) ? body['role'] : undefined;
  if (!isRecord(body) || role !== 'user') {
    const issues = [{ path: ['message', 'role'], message: "must be 'user'" }];
    throw new ProtocolError('invalid-message', `Expected message role 'user', got '${String(role)}'`, { issues });
  }
  const { content } = body;
  const { uuid } = message;
  return {
    content: typeof content === 'string' || Array.isArray(content) ? content : '',
    uuid: typeof uuid === 'string' ? uuid : undefined,
  };
}

/** The text of a content: text blocks joined by line breaks, other blocks left out. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = content.map((block: unknown) =>
    isRecord(block) && block['type'] === 'text' ? block['text'] : undefined,
  );
  return texts.filter((text) => typeof text === 'string').join('\n');
}
