/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

// This limit protects the stack. No real value or schema is nested deeper.
const MAX_DEPTH = 256;

/**
 * Checks a value against a JSON Schema. Returns the problems, such as `/name: must be string`. A valid value has no problems. Supports the keywords
 * for types, values, members, items, lengths, ranges and combinations. Other keywords are ignored.
 */
export function validate(value: unknown, schema: JsonSchema): readonly string[] {
  return check(value, schema, { root: schema, path: '', depth: 0 });
}

interface Place {
  readonly root: JsonSchema;
  readonly path: string;
  readonly depth: number;
}

function check(value: unknown, part: unknown, place: Place): readonly string[] {
  const at = (problem: string) => [`${place.path || '/'}: ${problem}`];
  if (part === false) return at('is not allowed');
  if (place.depth > MAX_DEPTH) return at('is nested too deeply');
  const schema = resolved(part, place.root);
  const deeper = (key?: string | number): Place => ({
    ...place,
    depth: place.depth + 1,
    ...(key !== undefined && { path: `${place.path}/${key}` }),
  });
  const { type, enum: values, const: only } = schema;
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  if (types.length > 0 && !types.some((name) => isOfType(value, name))) return at(`must be ${types.join(' or ')}`);
  if (Array.isArray(values) && !values.some((each) => isSame(each, value))) return at('must be one of the values');
  if (Object.hasOwn(schema, 'const') && !isSame(only, value)) return at('must be the value');
  const inner = (other: unknown) => check(value, other, deeper());
  return [
    ...checkLengthOrRange(value, schema).flatMap(at),
    ...(Array.isArray(value) ? value.flatMap((item, n) => check(item, schema['items'] ?? true, deeper(n))) : []),
    ...(isObject(value) ? members(value, schema, (item, rule, key) => check(item, rule, deeper(key)), at) : []),
    ...listOf(schema['allOf']).flatMap(inner),
    ...choice(listOf(schema['anyOf']), (matching) => matching > 0),
    ...choice(listOf(schema['oneOf']), (matching) => matching === 1),
  ];

  function choice(choices: readonly unknown[], fits: (matching: number) => boolean): readonly string[] {
    if (choices.length === 0 || fits(choices.filter((other) => inner(other).length === 0).length)) return [];
    return at('must match one of the schemas');
  }
}

function members(
  value: Readonly<Record<string, unknown>>,
  { properties, required, additionalProperties = true }: JsonSchema,
  inner: (item: unknown, rule: unknown, key: string) => readonly string[],
  at: (problem: string) => readonly string[],
): readonly string[] {
  const known = isObject(properties) ? properties : {};
  const missing = listOf(required).filter((name) => !Object.hasOwn(value, String(name)));
  return [
    ...missing.flatMap((name) => at(`must have required property '${String(name)}'`)),
    ...Object.entries(value).flatMap(([key, item]) => {
      if (Object.hasOwn(known, key)) return inner(item, known[key], key);
      return additionalProperties === false
        ? at(`must NOT have additional properties ('${key}')`)
        : inner(item, additionalProperties, key);
    }),
  ];
}

function checkLengthOrRange(value: unknown, schema: JsonSchema): readonly string[] {
  const [size, least, most] =
    typeof value === 'number'
      ? [value, schema['minimum'], schema['maximum']]
      : typeof value === 'string'
        ? [[...value].length, schema['minLength'], schema['maxLength']]
        : Array.isArray(value)
          ? [value.length, schema['minItems'], schema['maxItems']]
          : [0, undefined, undefined];
  return [
    ...(typeof least === 'number' && size < least ? [`must be at least ${least}`] : []),
    ...(typeof most === 'number' && size > most ? [`must be at most ${most}`] : []),
  ];
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

// A schema may refer to itself, so the chain of references has a limit.
const MAX_REFERENCES = 32;

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns the schema to which a `$ref` within the same document points, or the schema itself if it has no `$ref`. A reference that points to nothing
 * allows any value.
 */
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
