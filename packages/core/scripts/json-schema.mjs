import { since } from './since.mjs';

/** @typedef {'from-agent' | 'from-host'} Direction */
/** @typedef {import('./definitions.mjs').Definition} Definition */
/** @typedef {Record<string, any>} Json */

/**
 * The JSON Schema of all that one side sends: known messages in their own form, and whatever is of another kind.
 *
 * @param {Awaited<ReturnType<typeof import('./definitions.mjs').loadDefinitions>>} loaded
 * @param {Direction} direction
 */
export function directionSchema(loaded, direction) {
  const schemas = definitionSchemas(loaded, direction);
  const { messagesFromAgent, messagesFromHost } = loaded.messages;
  const table = direction === 'from-agent' ? messagesFromAgent : messagesFromHost;
  const names = new Map(loaded.definitions.map(({ name, schema }) => [schema, name]));
  const known = Object.entries(table).map(([key, lazy]) => knownMessage(key, names.get(lazy()), table));
  const answers = Object.entries(loaded.messages.controlResponses)
    .filter(([subtype]) => isSentBy(loaded, subtype, direction === 'from-agent' ? 'from-host' : 'from-agent'))
    .map(([, lazy]) => names.get(lazy()))
    .filter((name) => name !== undefined);
  const root = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `A message ${direction === 'from-agent' ? 'of an agent' : 'of a host'}`,
    anyOf: [...unique(known), ...unknownMessages(Object.keys(table))],
  };
  return { ...root, $defs: reachable(root, answers, schemas) };
}

/**
 * The schema of each definition, by its name, referring to each other.
 *
 * @param {Awaited<ReturnType<typeof import('./definitions.mjs').loadDefinitions>>} loaded
 * @param {Direction} direction
 * @returns {Record<string, Json>}
 */
export function definitionSchemas({ definitions, messages, json }, direction) {
  const registry = json.registry();
  for (const { name, schema } of definitions) registry.add(schema, { id: name });
  registry.add(controlRequest(messages, json, direction), { id: 'ControlRequest' });
  const { schemas } = json.toJSONSchema(registry, {
    uri: (/** @type {string} */ id) => `#/$defs/${id}`,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  const docs = new Map(definitions.map(({ name, doc }) => [name, doc]));
  docs.set('ControlRequest', 'A control request of this side.');
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, annotated(name, schema, docs.get(name))]),
  );
}

/** A request of one side: subtypes of the other one are as unknown as new ones. */
function controlRequest(messages, json, direction) {
  const bodies = Object.keys(messages.controlRequests)
    .filter((subtype) => isSentBy({ messages }, subtype, direction))
    .map((subtype) => [subtype, messages.controlRequests[subtype].request]);
  return json.object({
    type: json.literal('control_request'),
    request_id: json.string,
    request: json.openUnion('subtype', Object.fromEntries(bodies)),
  })();
}

function isSentBy({ messages }, subtype, direction) {
  const sender = messages.controlRequests[subtype].direction;
  return sender === 'both' || sender === direction;
}

function knownMessage(key, name, table) {
  const $ref = `#/$defs/${key === 'control_request' ? 'ControlRequest' : name}`;
  if (!(`${key}/replay` in table)) return { $ref };
  // With any other value it is an echo, or a broken one.
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
  const text = (/** @type {string[]} */ known) => ({ type: 'string', not: { enum: known } });
  return [
    { type: 'object', properties: { type: text([...types]) }, required: ['type'] },
    ...[...families].map(([type, known]) => ({
      type: 'object',
      properties: { type: { const: type }, subtype: text(known) },
      required: ['type', 'subtype'],
    })),
  ];
}

/** Every object may have more members: to say so each time helps nobody. */
function tidy(json) {
  if (json.additionalProperties && Object.keys(json.additionalProperties).length === 0 && json.properties) {
    delete json.additionalProperties;
  }
  if (json.propertyNames?.type === 'string') delete json.propertyNames;
  if (json.const !== undefined) delete json.type;
}

function annotated(name, { $id: _, $schema: __, ...schema }, doc) {
  const version = since[name] === undefined ? {} : { $comment: `since ${since[name]}` };
  for (const [member, property] of Object.entries(schema.properties ?? {})) {
    const known = since[`${name}.${member}`];
    if (known !== undefined) property.$comment = `since ${known}`;
  }
  return { description: doc, ...version, ...schema };
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
