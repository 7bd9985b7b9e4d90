import type { WireMessage } from '../../framing/parse-line.ts';
import { isRecord } from '../is-record.ts';

/** The content of a user message: a text, or content blocks of the Messages API. */
export type PromptContent = string | readonly Readonly<Record<string, unknown>>[];

/** A user message that waits for its turn. */
export interface Prompt {
  readonly content: PromptContent;
  /** The id the host gave it, where it did. */
  readonly uuid: string | undefined;
  /** The host only wants it remembered: there is no turn for it. */
  readonly isContextOnly: boolean;
  /** As it came. */
  readonly message: WireMessage;
}

/** Reads a `user` message of the host; one without content is an empty prompt. */
export function readPrompt(message: WireMessage): Prompt {
  const { message: body, uuid, shouldQuery } = message;
  const content = isRecord(body) ? body['content'] : undefined;
  return {
    content: typeof content === 'string' || Array.isArray(content) ? content : '',
    uuid: typeof uuid === 'string' ? uuid : undefined,
    isContextOnly: shouldQuery === false,
    message,
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
