import { parseJson } from '@proto/core/framing';
import { createHash } from 'node:crypto';
import { steadyValue } from '@proto/recording/diff';

/** A message of a conversation as it is compared: without what differs from run to run. */
export type SteadyMessage = Readonly<Record<string, unknown>>;

/** What of a request is compared with the requests of a tape. */
export interface RequestKey {
  readonly method: string;
  readonly path: string;
  /** Of a request for a message. */
  readonly model?: string;
  readonly maxTokens?: number;
  /** A key for each message. */
  readonly messages?: readonly string[];
  /** The messages by their keys. */
  readonly contents?: ReadonlyMap<string, SteadyMessage>;
}

// Agents add these parts by themselves: dates, states of folders, hints.
const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>/g;
const DATE = /\b\d{4}-\d{2}-\d{2}\b/g;
const DROPPED = new Set(['cache_control', 'signature']);

/** Reads what is compared of a request: the model and the messages, with ids, times and the texts of the agent itself taken out. `clean` takes out secrets. */
export function requestKey(method: string, path: string, body: string, clean: (text: string) => string): RequestKey {
  const { model, max_tokens: maxTokens, messages } = Object(jsonOf(body)) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(messages)) return { method, path };
  const contents = new Map<string, SteadyMessage>();
  const keys = messages.filter(isOfConversation).map((message) => {
    const steady = steadyMessage(message, clean);
    const key = createHash('sha256').update(JSON.stringify(steady)).digest('hex').slice(0, 16);
    contents.set(key, steady);
    return key;
  });
  return {
    method,
    path,
    messages: keys,
    contents,
    ...(typeof model === 'string' && { model }),
    ...(typeof maxTokens === 'number' && { maxTokens }),
  };
}

/** Whether a request only looks something up beside the conversation, so that it may be repeated: the state of the API, tokens, a quota. */
export function isSideRequest({ method, path, maxTokens }: Pick<RequestKey, 'method' | 'path' | 'maxTokens'>): boolean {
  return method !== 'POST' || !path.endsWith('/messages') || maxTokens === 1;
}

/** A text that is the same for two values that differ in ids, in times and in the texts of the agent itself. */
export function steadyText(value: unknown): string {
  return JSON.stringify(steadyPart('', value, (text) => text));
}

// Agents put instructions between the messages: folders, the system, skills.
function isOfConversation(message: unknown): boolean {
  return (Object(message) as { readonly role?: unknown }).role !== 'system';
}

function steadyMessage(message: unknown, clean: (text: string) => string): SteadyMessage {
  const { role, content } = Object(message) as { readonly role?: unknown; readonly content?: unknown };
  const blocks = Array.isArray(content) ? content : [{ type: 'text', text: content }];
  const steady = blocks.map((block) => steadyPart('', block, clean)).filter((block) => !isEmptyText(block));
  return { role, content: steady };
}

function isEmptyText(block: unknown): boolean {
  const { type, text } = Object(block) as { readonly type?: unknown; readonly text?: unknown };
  return type === 'text' && text === '';
}

function steadyPart(name: string, value: unknown, clean: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => steadyPart(name, item, clean));
  if (typeof value === 'object' && value !== null) {
    // The order of members is no part of a message.
    const members = Object.entries(value)
      .filter(([member]) => !DROPPED.has(member))
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(members.map(([member, part]) => [member, steadyPart(member, part, clean)]));
  }
  if (typeof value !== 'string') return value;
  return steadyValue(name, clean(value.replaceAll(REMINDER, '')).trim().replaceAll(DATE, '(date)'));
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
