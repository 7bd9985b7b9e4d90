/** Writes the page that lists every message and member. */
import { exampleOf } from './made-example.mjs';
import { since, version } from './since.mjs';

/** @typedef {import('./read-schemas.mjs').Node} Node */
/** @typedef {import('./read-schemas.mjs').Protocol} Protocol */

const INTRO = `# The wire, message by message

What travels between a host and an agent: one JSON object per line, as of version ${version} of the published SDK. This page is made from
the schemas in \`packages/core/src/schemas\` by \`pnpm --filter @proto/core generate\`; the same is there for machines in
\`packages/core/json-schema\`.

- An *optional* member may be absent. Every object may have members that are not listed here: they are handed on.
- A choice that ends in \`…\` is open: other values pass, and a reader must expect them. So do messages of an unknown \`type\` or
  \`subtype\`, and content blocks, stream events and the like of an unknown kind.
- *Since* is the first published SDK version that has the message or member, where that is recorded. Agents count alike in the last
  number.
- \`uuid\` is fresh for every message, \`session_id\` is the session it belongs to; neither is repeated below where it is required.
- Examples are made up, and hold no more than what must be there.
`;

const SENDERS = { 'from-agent': 'from the agent', 'from-host': 'from the host', both: 'both ways' };

/** @param {Protocol} protocol */
export function writeWirePage({ named, messages, requests, answers }) {
  const told = new Set();
  const section = (/** @type {string} */ title, /** @type {Node} */ node, /** @type {string} */ sender) => {
    told.add(node);
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
    [section(code(subtype), node, SENDERS[direction]), answer(answers[subtype], told)].join('\n'),
  );
  const shared = [...named]
    .filter(([, node]) => !told.has(node))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, node]) => definition(name, node));
  return [
    INTRO,
    '## Messages of the agent\n',
    ...agent,
    '## Messages of the host only\n',
    ...host,
    '## Control requests\n',
    'The bodies: the member `request` of a `control_request`. The answer is the member `response.response` of the `control_response`.\n',
    ...asked,
    '## Shapes used above\n',
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

function answer(node, told) {
  if (node?.id === undefined) return 'Answer: nothing that is known.\n';
  if (node.kind !== 'object' || told.has(node)) return `Answer: ${typeText(node)}.\n`;
  told.add(node);
  return [`Answer, \`${node.id}\`: ${node.description}\n`, memberTable(node), example(node)].join('\n');
}

function definition(title, node, sender) {
  const facts = [
    sender === undefined ? undefined : node.id && code(node.id),
    sender,
    since[node.id] && `since ${since[node.id]}`,
  ];
  const line = facts.filter(Boolean).join(', ');
  if (node.id === undefined) return `### ${title}\n\n${line}; seen, not declared.\n`;
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
  return ['| member | presence | type | since | what it says |', '|---|---|---|---|---|', ...rows, ''].join('\n');
}

/** A node as a type, in Markdown for a cell of a table. @param {Node} node */
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
