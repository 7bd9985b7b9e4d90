import { isRecord } from '@proto/core/internal';
import { joinContents, type PromptContent } from '../prompts/prompt.ts';

export interface McpPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[];
}

/** Entries that are not prompts are left out. */
export function promptsIn({ prompts }: Readonly<Record<string, unknown>>): readonly McpPrompt[] {
  return listOf(prompts).flatMap(({ name, description, arguments: args }) =>
    typeof name === 'string'
      ? [{ name, description: typeof description === 'string' ? description : '', arguments: argumentsIn(args) }]
      : [],
  );
}

function argumentsIn(args: unknown): McpPrompt['arguments'] {
  return listOf(args).flatMap(({ name, required }) =>
    typeof name === 'string' ? [{ name, required: required === true }] : [],
  );
}

/** Assigns words to arguments in order. Words in quotes stay together, and the last argument receives all remaining words. */
export function argumentsOf(prompt: McpPrompt, line: string): Readonly<Record<string, string>> {
  const words = Array.from(line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g), ([, double, single, plain]) =>
    String(double ?? single ?? plain),
  );
  const last = prompt.arguments.length - 1;
  const values = prompt.arguments.map(({ name }, at) => [name, at === last ? words.slice(at).join(' ') : words[at]]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== ''));
}

export function contentOf({ messages }: Readonly<Record<string, unknown>>): PromptContent {
  const blocks = listOf(messages).flatMap(({ content }) => listOf(Array.isArray(content) ? content : [content]));
  return joinContents(blocks.map(blockOf));
}

function blockOf(block: Readonly<Record<string, unknown>>): PromptContent {
  const { type, text, data, mimeType, resource, uri } = block;
  if (type === 'text') return String(text);
  if (type === 'image') return [{ type: 'image', source: { type: 'base64', media_type: mimeType, data } }];
  const inner = isRecord(resource) ? resource : {};
  if (typeof inner['text'] === 'string') return inner['text'];
  const source = [inner['uri'], uri, mimeType].find((text) => typeof text === 'string');
  return `[${[type, source].filter((text) => typeof text === 'string').join(' ')}]`;
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
