import { parseJson } from '@proto/core/framing';
/** A parsed JSON object whose members were not checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an object, and otherwise an empty object. Use it for members that may be missing or have another type. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns the value if it is a string, and otherwise undefined. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Parses a JSON object. Returns undefined for any other value, and for a text that is not JSON. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const MAX_ID_LENGTH = 256;

/**
 * Returns an id from a client, which is a string of 1 to 256 characters, or undefined for any other value. The length is limited because the server
 * stores ids.
 */
export function idOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_ID_LENGTH ? value : undefined;
}
