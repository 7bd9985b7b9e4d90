/** Writes the page that lists every message and member. */
import { exampleOf } from './made-example.mjs';
import { since, version } from './since.mjs';

/** @typedef {import('./read-schemas.mjs').Node} Node */
/** @typedef {import('./read-schemas.mjs').Protocol} Protocol */

const INTRO = `# The wire, message by message

This page lists every message that a host and an agent exchange, one JSON object per line, as of version ${version} of the published SDK.
\`pnpm --filter @proto/core generate\` writes this page from the schemas in \`packages/core/src/schemas\`, and the JSON Schemas in
\`packages/core/json-schema\` from the same source.

- An *optional* member may be absent. Every object may have members that are not listed here. A session passes these members on.
- A type that ends in \`…\` is open: other values are valid too, and a program must expect them. Messages of an unknown \`type\` or \`subtype\`,
  content blocks of an unknown kind and stream events of an unknown kind are valid too.
- *Since* is the first version of the published SDK that contains the message or the member, if this version is known. The version of an
  agent ends in the same number as the version of the SDK that was published with it.
- *Seen on the wire, not declared by the published SDK* means that published programs send the message or the member,
  but the types of the SDK do not contain it.
- Each message has a new \`uuid\`. \`session_id\` is the session that the message belongs to. The tables below leave out both members if they
  are required.
- The examples are made up, and contain only the required members.
`;

const SENDERS = { 'from-agent': 'from the agent', 'from-host': 'from the host', both: 'both ways' };

/** @param {Protocol} protocol */
export function writeWirePage({ named, messages, requests, answers }) {
  const written = new Set();
  const section = (/** @type {string} */ title, /** @type {Node} */ node, /** @type {string} */ sender) => {
    written.add(node);
    return [definition(title, node, sender), example(node)].join('\n');
  };
  const { 'from-agent': ofAgent, 'from-host': ofHost } = messages;
  const agent = grouped(ofAgent).map(([title, node, key]) =>
    section(title, node, key in ofHost ? SENDERS.both : SENDERS['from-agent']),
  );
  const host = Object.entries(ofHost)
    .filter(([key]) => !(key in ofAgent))
    .map(([key, node]) => section(code(key), node, SENDERS['from-host']));
  const asked = Object.entries(requests).map(([subtype, { node, direction }]) =>
    [section(code(subtype), node, SENDERS[direction]), answer(answers[subtype], written)].join('\n'),
  );
  const shared = [...named]
    .filter(([, node]) => !written.has(node))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, node]) => definition(name, node));
  return [
    INTRO,
    '## Messages of the agent\n',
    ...agent,
    '## Messages of the host only\n',
    ...host,
    '## Control requests\n',
    'Each section describes the member `request` of a `control_request`. The answer is the member `response.response` of the `control_response`.\n',
    ...asked,
    '## Types used above\n',
    ...shared,
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}

/** Messages of one schema under one heading. */
function grouped(table) {
  const groups = new Map();
  for (const [key, node] of Object.entries(table)) groups.set(node, [...(groups.get(node) ?? []), key]);
  return [...groups].map(([node, keys]) => [keys.map(code).join(', '), node, keys[0]]);
}

function answer(node, written) {
  if (node?.id === undefined) return 'Answer: not known.\n';
  if (node.kind !== 'object' || written.has(node)) return `Answer: ${typeText(node)}.\n`;
  written.add(node);
  return [`Answer, \`${node.id}\`: ${node.description}\n`, memberTable(node), example(node)].join('\n');
}

function definition(title, node, sender) {
  const facts = [
    // Links lead to the id, and the heading is the name on the wire.
    sender === undefined ? undefined : node.id && `<a id="${node.id.toLowerCase()}"></a>${code(node.id)}`,
    sender,
    since[node.id] && `since ${since[node.id]}`,
  ];
  const line = facts.filter(Boolean).join(', ');
  if (node.id === undefined) return `### ${title}\n\n${line}; seen on the wire, not declared by the published SDK.\n`;
  const head = `### ${title}\n\n${node.description}\n${line === '' ? '' : `\n${line}\n`}`;
  return node.kind === 'object'
    ? `${head}\n${memberTable(node, sender !== undefined)}`
    : `${head}\n${typeText(node, true)}\n`;
}

function example(node) {
  return `\`\`\`json\n${JSON.stringify(exampleOf(node))}\n\`\`\`\n`;
}

function memberTable({ id, members }, isMessage = false) {
  const isStamped =
    isMessage &&
    ['uuid', 'session_id'].every((name) =>
      members.some((member) => member.name === name && member.presence === 'required'),
    );
  const shown = members.filter(({ name }) => !(isStamped && (name === 'uuid' || name === 'session_id')));
  const rows = shown.map(({ name, node, presence, description = '' }) => {
    const facts = [
      presence === 'required' ? 'required' : 'optional',
      typeText(node),
      since[`${id}.${name}`] ?? '',
      description.replaceAll('|', '\\|'),
    ];
    return `| \`${name}\` | ${facts.join(' | ')} |`;
  });
  return ['| member | presence | type | since | meaning |', '|---|---|---|---|---|', ...rows, ''].join('\n');
}

/** The type of a node as Markdown, for a cell of a table. @param {Node} node */
function typeText(node, isDefinition = false) {
  return parts(node, isDefinition).join(' \\| ');
}

/** @param {Node} node @returns {string[]} */
function parts(node, isDefinition = false) {
  if (node.id !== undefined && !isDefinition) return [`[${node.id}](#${node.id.toLowerCase()})`];
  switch (node.kind) {
    case 'literal':
      return node.values.map(quoted);
    case 'string':
      return node.known === undefined ? ['string'] : [...node.known.map(quoted), '…'];
    case 'union':
      return node.options.flatMap((option) => parts(option));
    case 'kinds':
      return [...node.options.flatMap((option) => parts(option.node)), ...(node.isOpen ? ['…'] : [])];
    case 'nullable':
      return [...parts(node.inner), 'null'];
    case 'array':
      return [arrayText(parts(node.inner))];
    case 'record':
      return [`object of ${typeText(node.inner)}`];
    case 'object':
      return [objectText(node)];
    case 'unknown':
      return ['anything'];
    default:
      return [node.kind];
  }
}

function arrayText(/** @type {string[]} */ items) {
  return items.length === 1 ? `${items[0]}[]` : `(${items.join(' \\| ')})[]`;
}

function objectText({ members }) {
  const shown = members.map(
    ({ name, node, presence }) => `${name}${presence === 'required' ? '' : '?'}: ${typeText(node)}`,
  );
  return `{ ${shown.join('; ')} }`;
}

function quoted(/** @type {unknown} */ value) {
  return code(JSON.stringify(value));
}

function code(/** @type {string} */ text) {
  return `\`${text}\``;
}
