import { parseJson } from '@proto/core/framing';
/** A parsed JSON object whose members were not checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty object: for members that may be missing or of another type. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The value if it is a string, else undefined. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Parses a JSON object; undefined for any other value, and for a text that is not JSON. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const MAX_ID_LENGTH = 256;

/** An id of a client: a text of 1 to 256 characters; undefined for any other value. Ids are limited because the server keeps them. */
export function idOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_ID_LENGTH ? value : undefined;
}
