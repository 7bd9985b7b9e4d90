/** @typedef {import('./json-schema.mjs').Json} Json */

/** Whether a schema is that of an object with known members. */
export function isObject(/** @type {Json | undefined} */ schema) {
  return schema?.properties !== undefined;
}

/** A schema as a type, in Markdown for a cell of a table. */
export function typeText(/** @type {Json} */ schema) {
  return parts(schema).join(' \\| ');
}

/**
 * @param {Json} schema
 * @returns {string[]}
 */
function parts(schema) {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace('#/$defs/', '');
    return [`[${name}](#${name.toLowerCase()})`];
  }
  if (schema.const !== undefined) return [code(schema.const)];
  if (schema.enum !== undefined) return schema.enum.map(code);
  const known = schema.type === 'string' && schema.anyOf?.[0]?.enum;
  if (known) return [...known.map(code), '…'];
  // The last option of an open union is whatever has another discriminator.
  const options = schema.oneOf ?? schema.anyOf;
  if (options !== undefined)
    return options.flatMap((/** @type {Json} */ option) => (isRest(option) ? ['…'] : parts(option)));
  if (Array.isArray(schema.type)) return schema.type;
  if (schema.type === 'array') return [arrayText(parts(schema.items ?? {}))];
  if (isObject(schema)) return [objectText(schema)];
  if (schema.type !== 'object') return [schema.type ?? 'anything'];
  return [`object of ${parts(schema.additionalProperties ?? {}).join(' \\| ')}`];
}

function isRest(/** @type {Json} */ option) {
  const members = Object.values(option.properties ?? {});
  return members.length === 1 && members[0]?.not !== undefined;
}

function arrayText(/** @type {string[]} */ items) {
  return items.length === 1 ? `${items[0]}[]` : `(${items.join(' \\| ')})[]`;
}

function objectText(/** @type {Json} */ schema) {
  const required = new Set(schema.required);
  const members = Object.entries(schema.properties).map(
    ([name, member]) => `${name}${required.has(name) ? '' : '?'}: ${parts(member).join(' \\| ')}`,
  );
  return `{ ${members.join('; ')} }`;
}

function code(/** @type {unknown} */ value) {
  return `\`${JSON.stringify(value)}\``;
}
