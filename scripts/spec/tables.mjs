// The tables of the specification, from the JSON Schemas that are generated from the description of the protocol.
import { readFileSync } from 'node:fs';

/** The file of the tables. */
export const TABLES = 'tables.md';

/** @typedef {{ [name: string]: unknown }} Members */
/** @typedef {{ $ref?: string, const?: unknown, type?: string, anyOf?: Schema[], oneOf?: Schema[], allOf?: Schema[], properties?: Record<string, Schema>, required?: string[], description?: string }} Schema */
/** @typedef {Schema & { $comment: string, $defs: Record<string, Schema> }} Root */
/** @typedef {{ name: string, keys: Map<string, string>, required: string[], optional: string[] }} Shape */

/** The text of the file. */
export function tables() {
  const agent = read('from-agent');
  const host = read('from-host');
  return `# Tables

This page lists the messages of the protocol with their members. The command \`node scripts/spec.mjs\` writes the page from the JSON Schemas. ${agent.$comment.replace('The wire as of', 'The tables describe the protocol as of')} [The message tables](../docs/wire.md) describe the type and the meaning of each member.

An object may also contain members that the tables do not list ([2.2](02-messages.md#22-newer-and-older-peers)).

## Messages of the agent

${messageTable(agent)}

## Messages of the host

${messageTable(host)}

## Control requests of the host

${requestTable(host)}

## Control requests of the agent

${requestTable(agent)}

## Inputs of hooks

Every input of a hook has \`session_id\`, \`transcript_path\` and \`cwd\`, and may contain \`permission_mode\`, \`agent_id\` and \`agent_type\`.

${hookTable(agent)}
`;
}

/** @param {string} name @returns {Root} */
function read(name) {
  return JSON.parse(readFileSync(new URL(`../../packages/core/json-schema/${name}.json`, import.meta.url), 'utf8'));
}

/** @param {Root} root */
function messageTable(root) {
  const shapes = alternatives(root, root);
  const rows = shapes.map((shape) => [
    kindOf(shape),
    list(shape.required, ['type', 'subtype']),
    list(shape.optional, []),
  ]);
  return table(['Message', 'Required members', 'Other members'], merged(rows));
}

/** @param {Root} root */
function requestTable(root) {
  const request = alternatives(root, root).find(({ keys }) => keys.get('type') === '"control_request"');
  const inner = request === undefined ? undefined : root.$defs[request.name]?.properties?.['request'];
  const rows = alternatives(inner ?? {}, root).map((shape) => [
    `\`${String(shape.keys.get('subtype')).replaceAll('"', '')}\``,
    list(shape.required, ['subtype']),
    list(shape.optional, []),
  ]);
  return table(['Subtype', 'Required members', 'Other members'], merged(rows));
}

/** @param {Root} root */
function hookTable(root) {
  const common = [
    'hook_event_name',
    'session_id',
    'transcript_path',
    'cwd',
    'permission_mode',
    'agent_id',
    'agent_type',
  ];
  const rows = alternatives(root.$defs['HookInput'] ?? {}, root).map((shape) => [
    `\`${String(shape.keys.get('hook_event_name')).replaceAll('"', '')}\``,
    list(shape.required, common),
    list(shape.optional, common),
  ]);
  return table(['Hook', 'Required members', 'Other members'], merged(rows));
}

/**
 * The objects that a schema accepts, one for each alternative.
 * @param {Schema} schema @param {Root} root @param {string} [name] @returns {Shape[]}
 */
function alternatives(schema, root, name = '') {
  if (schema.$ref !== undefined) {
    const target = schema.$ref.replace('#/$defs/', '');
    return alternatives(root.$defs[target] ?? {}, root, target);
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.flatMap((choice) => alternatives(choice, root, name));
  if (schema.allOf !== undefined) return schema.allOf.slice(0, 1).flatMap((part) => alternatives(part, root, name));
  if (schema.properties === undefined) return [];
  const { properties, required = [] } = schema;
  const keys = new Map(
    Object.entries(properties).flatMap(([key, { const: value }]) =>
      value === undefined ? [] : [[key, JSON.stringify(value)]],
    ),
  );
  // The alternative for values from newer peers has no name.
  if (keys.size === 0 && name === '') return [];
  const optional = Object.keys(properties).filter((key) => !required.includes(key));
  return [{ name, keys, required, optional }];
}

/** @param {Shape} shape */
function kindOf({ keys, required }) {
  const [type, subtype] = ['type', 'subtype'].map((key) => keys.get(key)?.replaceAll('"', ''));
  if (subtype !== undefined) return `\`${type}/${subtype}\``;
  return required.includes('subtype') ? `\`${type}\` of another subtype` : `\`${type}\``;
}

/** @param {readonly string[]} names @param {readonly string[]} without */
function list(names, without) {
  return names
    .filter((name) => !without.includes(name))
    .map((name) => `\`${name}\``)
    .join(', ');
}

/** Rows with the same name are alternatives. Equal rows are shown once. @param {readonly string[][]} rows */
function merged(rows) {
  return [...new Map(rows.map((row) => [row.join('|'), row])).values()];
}

/** @param {readonly string[]} head @param {readonly string[][]} rows */
function table(head, rows) {
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
