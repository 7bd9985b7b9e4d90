import type { WireMessage } from '@proto/core/framing';
import { isRecord } from '@proto/core/internal';

/** The state of a prompt with a `uuid`, as `command_lifecycle` messages report it. */
export type PromptState = 'queued' | 'started' | 'completed' | 'cancelled' | 'refused';

/** The content of a user message: a text, or content blocks of the Messages API. */
export type PromptContent = string | readonly Readonly<Record<string, unknown>>[];

/** A user message that waits for its turn. */
export interface Prompt {
  readonly content: PromptContent;
  /** The id that the host gave to the prompt; undefined without an id. */
  readonly uuid: string | undefined;
  /** Whether the host only adds the text to the conversation, without a turn. */
  readonly isContextOnly: boolean;
  /** Where the prompt comes from; undefined for a prompt of the host. */
  readonly origin?: Readonly<Record<string, unknown>>;
  /** The message of the host as it arrived. */
  readonly message: WireMessage;
}

/** The length of a prompt, in UTF-16 units of its text or of its blocks as JSON. */
export function lengthOf({ content }: Pick<Prompt, 'content'>): number {
  return typeof content === 'string' ? content.length : JSON.stringify(content).length;
}

/** Reads a `user` message of the host. A message without content is an empty prompt. */
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

/** Creates a prompt of the agent itself. The host sees the turn of such a prompt, and not the prompt. */
export function ownPrompt(content: PromptContent, origin: Readonly<Record<string, unknown>>): Prompt {
  const message = { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, isSynthetic: true };
  return { content, uuid: undefined, isContextOnly: false, origin, message };
}

/** Joins several contents: texts by line breaks, or all content blocks in a list. */
export function joinContents(contents: readonly PromptContent[]): PromptContent {
  const [first = '', ...others] = contents;
  if (others.length === 0) return first;
  if (contents.every((content) => typeof content === 'string')) return contents.join('\n');
  return contents.flatMap((content) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content));
}

/** Reads the text of a content: its text blocks joined by line breaks. Other blocks are left out. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = content.map((block: unknown) =>
    isRecord(block) && block['type'] === 'text' ? block['text'] : undefined,
  );
  return texts.filter((text) => typeof text === 'string').join('\n');
}
