/** An unchecked object: any member may be missing or have another type. */
export type Members = Readonly<Record<string, unknown>>;

const NOTHING: Members = Object.freeze({});

/** Whether a value is an object with members, not an array. */
export function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an object, and an empty object otherwise. */
export function recordOf(value: unknown): Members {
  return isRecord(value) ? value : NOTHING;
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Returns the objects in a list, and an empty list for any other value. */
export function recordsOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/**
 * Returns the text of `content`: the string itself, or the texts in a list of blocks, joined with line breaks. Returns an empty string for any other
 * value.
 */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return recordsOf(content)
    .flatMap(({ text }) => stringOf(text) ?? [])
    .join('\n');
}
