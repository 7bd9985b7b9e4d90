import { cutText } from '@proto/core/framing';

/** True for an object that is not an array and not `null`. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value as one line of JSON, cut off after `length` characters. */
export function shortJson(value: unknown, length = 300): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > length ? `${cutText(text, length)}… (${text.length} characters)` : text;
}
