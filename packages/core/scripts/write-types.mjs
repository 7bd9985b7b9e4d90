/** Writes the type of every named schema, so that programs without zod have the types. */
import { DIRECTIONS } from './read-schemas.mjs';

/** @typedef {import('./read-schemas.mjs').Node} Node */
/** @typedef {import('./read-schemas.mjs').Protocol} Protocol */

const UUID = `/** An id in the form that \`crypto.randomUUID\` returns. */
export type UUID = \`\${string}-\${string}-\${string}-\${string}-\${string}\`;
`;

const TABLES = {
  'from-agent': [
    'MessagesFromAgent',
    'Every message of an agent, by `type` or `type/subtype`. The echo of a prompt (`user/replay`) has no subtype: its `isReplay` is true.',
  ],
  'from-host': ['MessagesFromHost', 'Every message of a host, by `type`.'],
};

/** @param {Protocol} protocol */
export function writeTypes({ named, messages, requests, answers }) {
  const declarations = [...named]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, node]) => `${comment(node.description)}export type ${name} = ${typeOf(node, true)};\n`);
  const tables = DIRECTIONS.map((direction) => table(...TABLES[direction], Object.entries(messages[direction])));
  const bodies = Object.entries(requests).map(([subtype, { node }]) => [subtype, node]);
  return [
    UUID,
    ...declarations,
    ...tables,
    table('ControlRequests', 'The body of each control request that is declared, by `subtype`.', bodies),
    table(
      'ControlAnswers',
      'The payload of the answer to each control request whose answer is known, by its `subtype`.',
      Object.entries(answers),
    ),
    `/** A request known here, declared or not. */\nexport type ControlRequestSubtype = ${bodies.map(([subtype]) => literal(subtype)).join(' | ')};\n`,
  ].join('\n');
}

/** Writes an interface with a member for each named type. Undeclared answers and acknowledgements have no name, and are left out. */
function table(name, description, entries) {
  const members = entries.flatMap(([key, node]) =>
    node.id === undefined ? [] : [`${comment(node.description)}  ${property(key)}: ${node.id};\n`],
  );
  return `${comment(description)}export interface ${name} {\n${members.join('')}}\n`;
}

/**
 * Returns a node as a type: by its name if it has a name, unless the node itself is being declared.
 *
 * @param {Node} node
 */
function typeOf(node, isDeclared = false) {
  if (node.type !== undefined) return node.type;
  if (node.id !== undefined && !isDeclared) return node.id;
  switch (node.kind) {
    case 'string':
      return node.known === undefined ? 'string' : union(node.known.map(literal));
    case 'literal':
      return union(node.values.map(literal));
    case 'array':
      return `(${typeOf(node.inner)})[]`;
    case 'record':
      return `Record<string, ${typeOf(node.inner)}>`;
    case 'nullable':
      return union([typeOf(node.inner), 'null']);
    case 'union':
      return union(node.options.map((option) => typeOf(option)));
    case 'kinds':
      return union(node.options.map((option) => typeOf(option.node)));
    case 'object':
      return node.members.length === 0 ? '{}' : `{\n${node.members.map(member).join('')}}`;
    default:
      return node.kind;
  }
}

function member({ name, node, presence, description, type }) {
  const mark = presence === 'optional' ? '?' : '';
  return `${comment(description)}  ${property(name)}${mark}: ${type ?? typeOf(node)};\n`;
}

function property(name) {
  return /^\w+$/.test(name) ? name : literal(name);
}

function comment(text) {
  return text === undefined ? '' : `/** ${text.replaceAll('*/', '*\\/')} */\n`;
}

function union(/** @type {readonly string[]} */ options) {
  return [...new Set(options)].join(' | ');
}

function literal(/** @type {unknown} */ value) {
  return JSON.stringify(value);
}
