/** A JSON object whose members are not known. */
export type Members = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object without members for a value that is not an object. */
export function objectOf(value: unknown): Members {
  return isObject(value) ? value : {};
}

/** The objects of a list. Empty for a value that is not a list. */
export function objectsIn(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
