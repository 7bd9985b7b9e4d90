import { isObject, type JsonSchema, resolved } from './validate.ts';

// A schema may refer to itself. Values nested deeper than this are null.
const MAX_DEPTH = 16;
// An example stays small, whatever the schema requires.
const MAX_SIZE = 1000;

/**
 * Returns a value that matches a JSON Schema. The value is always the same: it consists of the first choices and the shortest strings and lists that
 * the schema allows.
 */
export function exampleOf(schema: JsonSchema): unknown {
  return build(schema, schema, 0);
}

function build(part: unknown, root: JsonSchema, depth: number): unknown {
  const schema = resolved(part, root);
  const { enum: values, const: only, default: given, anyOf, oneOf, allOf } = schema;
  if (Object.hasOwn(schema, 'const')) return only;
  if (Object.hasOwn(schema, 'default')) return given;
  if (Array.isArray(values) && values.length > 0) return values[0];
  for (const choices of [anyOf, oneOf]) {
    if (Array.isArray(choices) && choices.length > 0) return build(choices[0], root, depth);
  }
  if (depth > MAX_DEPTH) return null;
  const inner = (other: unknown) => build(other, root, depth + 1);
  if (Array.isArray(allOf)) return Object.assign({}, ...allOf.map(inner).filter(isObject));
  switch (typeOf(schema)) {
    case 'object': {
      const properties = isObject(schema['properties']) ? schema['properties'] : {};
      const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
      return Object.fromEntries(required.map((name) => [String(name), inner(properties[String(name)])]));
    }
    case 'array':
      return Array.from({ length: sizeOf(schema['minItems']) }, () => inner(schema['items']));
    case 'string':
      return 'text'.padEnd(sizeOf(schema['minLength']), '.').slice(0, sizeOf(schema['maxLength'], MAX_SIZE));
    case 'number':
    case 'integer':
      return typeof schema['minimum'] === 'number' ? Math.ceil(schema['minimum']) : 1;
    case 'boolean':
      return true;
    default:
      return null;
  }
}

function typeOf({ type, properties }: JsonSchema): unknown {
  if (type === undefined && properties !== undefined) return 'object';
  return Array.isArray(type) ? type[0] : type;
}

function sizeOf(value: unknown, otherwise = 0): number {
  return typeof value === 'number' ? Math.min(value, MAX_SIZE) : otherwise;
}
