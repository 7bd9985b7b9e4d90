export type Members = Readonly<Record<string, unknown>>;

const NOTHING: Members = Object.freeze({});

export function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function recordOf(value: unknown): Members {
  return isRecord(value) ? value : NOTHING;
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

export function recordsOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Returns a string itself, and joins the texts in a list of blocks with line breaks. Any other value has no text. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return recordsOf(content)
    .flatMap(({ text }) => stringOf(text) ?? [])
    .join('\n');
}
