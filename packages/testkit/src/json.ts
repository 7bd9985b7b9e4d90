import { cutText } from '@proto/core/framing';

/** A value that JSON can express. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** An object of JSON. */
export type JsonObject = { readonly [name: string]: Json };

/** Tells whether a value is an object, not an array and not `null`. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as one line of JSON, cut after `length` characters. */
export function shortJson(value: unknown, length = 300): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > length ? `${cutText(text, length)}… (${text.length} characters)` : text;
}
