/** An object that came from outside: any member may be missing or of another kind. */
export type Members = Readonly<Record<string, unknown>>;

const NOTHING: Members = Object.freeze({});

/** Whether a value is an object with members, and no array. */
export function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value, or an object without members. */
export function recordOf(value: unknown): Members {
  return isRecord(value) ? value : NOTHING;
}

/** The value if it is a string. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The value if it is a number. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The objects of a list, or none. */
export function recordsOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** A string as it is, the texts of a list of blocks a line each; anything else has no text. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return recordsOf(content)
    .flatMap(({ text }) => stringOf(text) ?? [])
    .join('\n');
}
