import { parseJson } from '@proto/core/framing';
import { createHash } from 'node:crypto';
import { steadyValue } from '@proto/recording/diff';

/** A message of a conversation without the parts that differ between runs. */
export type SteadyMessage = Readonly<Record<string, unknown>>;

/** The parts of a request that are compared with the requests of a tape. */
export interface RequestKey {
  readonly method: string;
  readonly path: string;
  /** This member and all following members are present only in a request for a message. */
  readonly model?: string;
  readonly maxTokens?: number;
  readonly messages?: readonly string[];
  readonly contents?: ReadonlyMap<string, SteadyMessage>;
}

// Agents add these parts on their own: dates, states of folders, hints.
const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>/g;
const DATE = /\b\d{4}-\d{2}-\d{2}\b/g;
const DROPPED = new Set(['cache_control', 'signature']);

/** The key represents the model and the messages, without ids, times and texts that the agent adds. `clean` removes secrets. */
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

/** A side request only queries the API's state, token counts or a quota, and may be repeated. */
export function isSideRequest({ method, path, maxTokens }: Pick<RequestKey, 'method' | 'path' | 'maxTokens'>): boolean {
  return method !== 'POST' || !path.endsWith('/messages') || maxTokens === 1;
}

/** Returns a string that is the same for two values that differ only in ids, times and texts that the agent adds. */
export function steadyText(value: unknown): string {
  return JSON.stringify(steadyPart('', value, (text) => text));
}

// Agents insert system messages with context, such as folders and skills.
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
    // The order of members has no meaning in a message.
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
