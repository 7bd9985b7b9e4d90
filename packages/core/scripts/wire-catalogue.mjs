import { definitionSchemas } from './json-schema.mjs';
import { isObject, typeText } from './type-text.mjs';

/** @typedef {import('./json-schema.mjs').Json} Json */

const INTRO = `# The wire, message by message

What travels between a host and an agent: one JSON object per line. This page is made from the schemas of \`@proto/core/messages\`,
by \`pnpm --filter @proto/core generate\`; the same is there for machines in \`packages/core/json-schema\`.

- An *optional* member may be absent. Every object may have members that are not listed here: they are handed on.
- A choice that ends in \`…\` is open: other values pass, and a reader must expect them. So do messages of an unknown \`type\` or
  \`subtype\`, and content blocks, stream events and the like of an unknown kind.
- *Since* is the first published SDK version that has the message or member, where that is recorded. Agents count alike in the last
  number.
- \`uuid\` is fresh for every message, \`session_id\` is the session it belongs to; neither is repeated below where it is required.
`;

/**
 * The page that lists every message and member.
 *
 * @param {Awaited<ReturnType<typeof import('./definitions.mjs').loadDefinitions>>} loaded
 */
export function wireCatalogue(loaded) {
  const schemas = definitionSchemas(loaded, 'from-agent');
  delete schemas.ControlRequest;
  const names = new Map(loaded.definitions.map(({ name, schema }) => [schema, name]));
  const { messagesFromAgent, messagesFromHost, controlRequests, controlResponses } = loaded.messages;
  const told = new Set();
  const section = (/** @type {string} */ title, /** @type {() => any} */ lazy, /** @type {string[]} */ facts) => {
    const name = names.get(lazy());
    if (name !== undefined) told.add(name);
    return definition(title, name, schemas[name ?? ''], facts);
  };

  const agent = grouped(messagesFromAgent).map(([title, lazy, key]) =>
    section(title, lazy, [key in messagesFromHost ? 'both ways' : 'from the agent']),
  );
  const host = Object.entries(messagesFromHost)
    .filter(([key]) => !(key in messagesFromAgent))
    .map(([key, lazy]) => section(code(key), lazy, ['from the host']));
  const requests = Object.entries(controlRequests).map(([subtype, { direction, request }]) =>
    [
      section(code(subtype), request, [SENDERS[direction]]),
      answer(controlResponses[subtype], names, schemas, told),
    ].join('\n'),
  );
  const shared = Object.entries(schemas)
    .filter(([name]) => !told.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => definition(name, undefined, schema, []));
  return [
    INTRO,
    '## Messages of the agent\n',
    ...agent,
    '## Messages of the host only\n',
    ...host,
    '## Control requests\n',
    'The bodies: the member `request` of a `control_request`. The answer is the member `response.response` of the `control_response`.\n',
    ...requests,
    '## Shapes used above\n',
    ...shared,
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}

const SENDERS = { 'from-agent': 'from the agent', 'from-host': 'from the host', both: 'both ways' };

/** Messages of one schema under one heading. */
function grouped(table) {
  const groups = new Map();
  for (const [key, lazy] of Object.entries(table)) groups.set(lazy, [...(groups.get(lazy) ?? []), key]);
  return [...groups].map(([lazy, keys]) => [keys.map(code).join(', '), lazy, keys[0]]);
}

function answer(lazy, names, schemas, told) {
  const name = names.get(lazy());
  if (name === undefined) return 'Answer: nothing that is known.\n';
  const schema = schemas[name];
  if (!isObject(schema) || told.has(name)) return `Answer: ${typeText({ $ref: `#/$defs/${name}` })}.\n`;
  told.add(name);
  return `Answer, \`${name}\`: ${schema.description}\n\n${memberTable(schema, [])}`;
}

function definition(title, name, schema, facts) {
  if (schema === undefined) return `### ${title}\n\n${facts.join(', ')}; its members are not known.\n`;
  const line = [name === undefined ? undefined : code(name), ...facts, schema.$comment].filter(Boolean).join(', ');
  const head = `### ${title}\n\n${schema.description}\n${line === '' ? '' : `\n${line}\n`}`;
  return isObject(schema) ? `${head}\n${memberTable(schema, facts)}` : `${head}\n${typeText(schema)}\n`;
}

function memberTable(schema, facts) {
  const required = new Set(schema.required);
  const stamped = facts.length > 0 && required.has('uuid') && required.has('session_id');
  const rows = Object.entries(schema.properties)
    .filter(([name]) => !(stamped && (name === 'uuid' || name === 'session_id')))
    .map(([name, member]) => {
      const version = member.$comment?.replace('since ', '') ?? '';
      return `| \`${name}\` | ${required.has(name) ? 'required' : 'optional'} | ${typeText(member)} | ${version} |`;
    });
  return ['| member | presence | type | since |', '|---|---|---|---|', ...rows, ''].join('\n');
}

function code(/** @type {string} */ text) {
  return `\`${text}\``;
}
