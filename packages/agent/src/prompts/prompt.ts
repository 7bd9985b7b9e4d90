import type { WireMessage } from '@proto/core/framing';
import { isRecord } from '@proto/core/internal';

/** How far a prompt with a `uuid` has come; told in `command_lifecycle` messages. */
export type PromptState = 'queued' | 'started' | 'completed' | 'cancelled' | 'refused';

/** The content of a user message: a text, or content blocks of the Messages API. */
export type PromptContent = string | readonly Readonly<Record<string, unknown>>[];

/** A user message that waits for its turn. */
export interface Prompt {
  readonly content: PromptContent;
  /** The id the host gave it, where it did. */
  readonly uuid: string | undefined;
  /** The host only wants it remembered: there is no turn for it. */
  readonly isContextOnly: boolean;
  /** Where it is not the host's. */
  readonly origin?: Readonly<Record<string, unknown>>;
  /** As it came. */
  readonly message: WireMessage;
}

/** How much of a prompt waits, in UTF-16 units of its text or of its blocks as JSON. */
export function lengthOf({ content }: Pick<Prompt, 'content'>): number {
  return typeof content === 'string' ? content.length : JSON.stringify(content).length;
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

/** A prompt of the agent's own: of whom the host hears nothing but its turn. */
export function ownPrompt(content: PromptContent, origin: Readonly<Record<string, unknown>>): Prompt {
  const message = { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, isSynthetic: true };
  return { content, uuid: undefined, isContextOnly: false, origin, message };
}

/** Several contents as one: texts by line, or all their blocks. */
export function joinContents(contents: readonly PromptContent[]): PromptContent {
  const [first = '', ...others] = contents;
  if (others.length === 0) return first;
  if (contents.every((content) => typeof content === 'string')) return contents.join('\n');
  return contents.flatMap((content) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content));
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
