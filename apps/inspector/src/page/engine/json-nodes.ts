import { cutText } from '@proto/core/framing';

/** One member of a JSON value, in the form that the tree shows. Each text of the member has at most 600 characters. */
export interface JsonNode {
  readonly key: string;
  readonly type: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
  /** The value as JSON, cut to 600 characters. For an object or an array, the number of its members. */
  readonly preview: string;
  /** The number of members; 0 for a plain value. */
  readonly size: number;
}

/** Some members of a value. */
export interface JsonChildren {
  readonly nodes: readonly JsonNode[];
  /** The total number of members of the value. */
  readonly total: number;
}

const MAX_PREVIEW = 600;
const PAGE = 100;

/** The members of a value at a path, 100 at a time. For a path that does not exist, the result has no members. */
export function childrenAt(value: unknown, path: readonly string[], from: number): JsonChildren {
  let at: unknown = value;
  for (const key of path)
    at = Object.hasOwn(Object(at), key) ? (Object(at) as Record<string, unknown>)[key] : undefined;
  if (typeof at !== 'object' || at === null) return { nodes: [], total: 0 };
  const keys = Object.keys(at);
  const members = at as Record<string, unknown>;
  return { nodes: keys.slice(from, from + PAGE).map((key) => nodeOf(key, members[key])), total: keys.length };
}

export function nodeOf(key: string, value: unknown): JsonNode {
  if (Array.isArray(value)) return { key, type: 'array', preview: `${value.length} items`, size: value.length };
  if (typeof value === 'object' && value !== null) {
    const names = Object.keys(value);
    const shown = cutText(names.slice(0, 4).join(', '), 80);
    return { key, type: 'object', preview: names.length > 4 ? `${shown}, …` : shown, size: names.length };
  }
  return { key, type: typeOf(value), preview: previewOf(value), size: 0 };
}

function typeOf(value: unknown): JsonNode['type'] {
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'null';
}

function previewOf(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null';
  const cut = value.length > MAX_PREVIEW ? `${cutText(value, MAX_PREVIEW)}…` : value;
  return `${JSON.stringify(cut)}${value.length > MAX_PREVIEW ? ` (${value.length} characters)` : ''}`;
}
