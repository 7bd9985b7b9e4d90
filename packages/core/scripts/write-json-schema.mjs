/** Writes the JSON Schema, draft 2020-12, of all messages that one side sends. */
import { since, version } from './since.mjs';

/** @typedef {import('./read-schemas.mjs').Node} Node */
/** @typedef {import('./read-schemas.mjs').Protocol} Protocol */
/** @typedef {import('./read-schemas.mjs').Direction} Direction */
/** @typedef {Record<string, any>} Json */

/**
 * The schema accepts known messages of the declared shape, and all messages of other kinds.
 *
 * @param {Protocol} protocol
 * @param {Direction} direction
 */
export function writeJsonSchema(protocol, direction) {
  const table = protocol.messages[direction];
  const known = Object.entries(table).map(([key, node]) => knownMessage(key, node, table));
  const other = direction === 'from-agent' ? 'from-host' : 'from-agent';
  const answers = Object.entries(protocol.answers)
    .filter(([subtype, { id }]) => id !== undefined && isSentBy(protocol, subtype, other))
    .map(([, { id }]) => id);
  const root = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:proto:core:${direction}`,
    $comment: `The wire as of version ${version} of the published SDK.`,
    title: `A message ${direction === 'from-agent' ? 'of an agent' : 'of a host'}`,
    anyOf: [...unique(known), ...unknownMessages(Object.keys(table))],
  };
  return { ...root, $defs: reachable(root, answers, definitions(protocol, direction)) };
}

/** The schema of each named node, by its name. @param {Protocol} protocol */
function definitions(protocol, direction) {
  const bodies = Object.entries(protocol.requests).filter(([subtype]) => isSentBy(protocol, subtype, direction));
  const options = bodies.map(([subtype, { node }]) => ({ node, values: [subtype] }));
  return {
    ...Object.fromEntries([...protocol.named].map(([name, node]) => [name, definition(name, node)])),
    // Subtypes of the other side count as unknown subtypes.
    ControlRequest: {
      description: 'A control request of this side.',
      ...objectOf({
        type: { const: 'control_request' },
        request_id: { type: 'string' },
        request: kinds({ key: 'subtype', isOpen: true, options }),
      }),
    },
  };
}

function definition(name, node) {
  const known = since[name] === undefined ? {} : { $comment: `since ${since[name]}` };
  return { description: node.description, ...known, ...schemaOf(node, true) };
}

/** @param {Node} node @returns {Json} */
function schemaOf(node, isDefinition = false) {
  if (node.id !== undefined && !isDefinition) return { $ref: `#/$defs/${node.id}` };
  switch (node.kind) {
    case 'string':
      return { type: 'string', ...(node.known && { anyOf: [{ enum: node.known }, {}] }) };
    case 'literal':
      return node.values.length === 1 ? { const: node.values[0] } : { enum: node.values };
    case 'array':
      return { type: 'array', items: schemaOf(node.inner) };
    case 'record':
      return { type: 'object', additionalProperties: schemaOf(node.inner) };
    case 'nullable':
      return { anyOf: [schemaOf(node.inner), { type: 'null' }] };
    case 'union':
      return { anyOf: node.options.map((option) => schemaOf(option)) };
    case 'kinds':
      return kinds(node);
    case 'object':
      return objectSchema(node);
    case 'unknown':
      return {};
    default:
      return { type: node.kind };
  }
}

function kinds({ key, isOpen, options }) {
  const known = { oneOf: options.map(({ node }) => schemaOf(node)) };
  if (!isOpen) return known;
  const names = options.flatMap(({ values }) => values).filter((value) => typeof value === 'string');
  return { anyOf: [known, objectOf({ [key]: textBut(names) })] };
}

function objectSchema({ id, members }) {
  const properties = members.map(({ name, node, description }) => {
    const known = since[`${id}.${name}`];
    const about = { ...(description && { description }), ...(known && { $comment: `since ${known}` }) };
    return [name, { ...about, ...schemaOf(node) }];
  });
  const required = members.filter(({ presence }) => presence === 'required').map(({ name }) => name);
  return { type: 'object', properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
}

function objectOf(properties) {
  return { type: 'object', properties, required: Object.keys(properties) };
}

function textBut(names) {
  return { type: 'string', not: { enum: names } };
}

function isSentBy({ requests }, subtype, direction) {
  const { direction: sender } = requests[subtype] ?? {};
  return sender === 'both' || sender === direction;
}

function knownMessage(key, node, table) {
  const $ref = `#/$defs/${key === 'control_request' ? 'ControlRequest' : node.id}`;
  if (!(`${key}/replay` in table)) return { $ref };
  // With any other value the message is an echo, or an invalid echo.
  return { allOf: [{ $ref }, { properties: { isReplay: { const: false } } }] };
}

function unknownMessages(keys) {
  const families = new Map();
  const types = new Set();
  for (const key of keys) {
    const [type, subtype] = key.split('/');
    types.add(type);
    if (subtype !== undefined && subtype !== 'replay') families.set(type, [...(families.get(type) ?? []), subtype]);
  }
  return [
    objectOf({ type: textBut([...types]) }),
    ...[...families].map(([type, known]) => objectOf({ type: { const: type }, subtype: textBut(known) })),
  ];
}

function unique(list) {
  return [...new Map(list.map((entry) => [JSON.stringify(entry), entry])).values()];
}

function reachable(root, names, schemas) {
  const found = new Set();
  const visit = (/** @type {string} */ name) => {
    if (found.has(name)) return;
    found.add(name);
    for (const other of refsIn(schemas[name])) visit(other);
  };
  for (const name of [...refsIn(root), ...names]) visit(name);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)));
}

function refsIn(json) {
  return [...JSON.stringify(json).matchAll(/"#\/\$defs\/(\w+)"/g)].map(([, name]) => name);
}
