/**
 * Checks an argument that must be a string, for callers that are not type-checked. Without the check, an object would be sent as `[object Object]`.
 *
 * @param what the name of the argument in the error: `the subtype`
 * @param call how the function is called: `request('interrupt', { ... })`
 * @throws {TypeError} for a value of another type. The message does not contain the value.
 */
export function requireText(value: unknown, what: string, call: string): asserts value is string {
  const error = textError(value, what, call);
  if (error !== undefined) throw error;
}

/** Returns the error that `requireText` would throw, for functions that reject. Returns `undefined` for a string. */
export function textError(value: unknown, what: string, call: string): TypeError | undefined {
  if (typeof value === 'string') return undefined;
  return new TypeError(`${what} must be a string, not ${typeName(value)}: call ${call}`);
}

function typeName(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
