import type { WireMessage } from '@proto/core/framing';
import { isRecord } from '@proto/core/internal';

/** The state of a prompt with a `uuid`, as reported in `command_lifecycle` messages. */
export type PromptState = 'queued' | 'started' | 'completed' | 'cancelled' | 'refused';

/** The content of a user message: text, or content blocks of the Messages API. */
export type PromptContent = string | readonly Readonly<Record<string, unknown>>[];

export interface Prompt {
  readonly content: PromptContent;
  /** Undefined if the host gave no id. */
  readonly uuid: string | undefined;
  /** Whether the prompt is only added to the conversation, without a turn. */
  readonly isContextOnly: boolean;
  /** Undefined for a prompt from the host. */
  readonly origin?: Readonly<Record<string, unknown>>;
  /** The host's message as it arrived. */
  readonly message: WireMessage;
}

/** In UTF-16 units. Content blocks count as JSON. */
export function lengthOf({ content }: Pick<Prompt, 'content'>): number {
  return typeof content === 'string' ? content.length : JSON.stringify(content).length;
}

/** A message without content is an empty prompt. */
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

/** The host sees the turn of the agent's own prompt, but not the prompt. */
export function ownPrompt(content: PromptContent, origin: Readonly<Record<string, unknown>>): Prompt {
  const message = { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, isSynthetic: true };
  return { content, uuid: undefined, isContextOnly: false, origin, message };
}

/** Texts are joined with line breaks, content blocks into one list. */
export function joinContents(contents: readonly PromptContent[]): PromptContent {
  const [first = '', ...others] = contents;
  if (others.length === 0) return first;
  if (contents.every((content) => typeof content === 'string')) return contents.join('\n');
  return contents.flatMap((content) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content));
}

/** Returns the text of a prompt's content: its text blocks, joined with line breaks. Other blocks are left out. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = content.map((block: unknown) =>
    isRecord(block) && block['type'] === 'text' ? block['text'] : undefined,
  );
  return texts.filter((text) => typeof text === 'string').join('\n');
}
