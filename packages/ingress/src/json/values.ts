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
