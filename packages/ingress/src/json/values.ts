/** An object as JSON has it: parsed, not yet looked at. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object and no array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value where it is an object, else an empty one: for members that may be missing or wrong. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The value where it is a string, else undefined. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The object that a text says; undefined for any other value, and for a text that is no JSON. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const MAX_ID_LENGTH = 256;

/** The id that a client gave something; undefined for what is none. Ids are kept beside what they name, so there is an end to them. */
export function idOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_ID_LENGTH ? value : undefined;
}
