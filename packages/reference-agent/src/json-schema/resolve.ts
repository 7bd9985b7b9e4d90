/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

// A schema may refer to itself.
const MAX_REFERENCES = 32;

/** Whether a value is an object and no array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The schema that a `$ref` within the same document stands for; itself without one. What refers nowhere allows anything. */
export function resolved(schema: unknown, root: JsonSchema): JsonSchema {
  let current = schema;
  for (let step = 0; step < MAX_REFERENCES; step++) {
    if (!isObject(current)) return {};
    const { $ref } = current;
    if (typeof $ref !== 'string') return current;
    current = $ref
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((at, part) => (isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined), root);
  }
  return {};
}
