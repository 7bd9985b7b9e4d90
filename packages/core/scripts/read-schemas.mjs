/** Reads the schemas of `src/schemas` into plain nodes. The only file that depends on how zod stores them. */
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const folder = fileURLToPath(new URL('../src/schemas/', import.meta.url));
const DIRECTIONS = /** @type {const} */ (['from-agent', 'from-host']);

/**
 * @typedef {'from-agent' | 'from-host'} Direction
 *
 * @typedef {object} Member
 * @property {string} name
 * @property {Node} node
 * @property {'required' | 'optional' | 'carried'} presence `carried`: may be absent, but its type is that of a required member
 * @property {string | undefined} description
 * @property {string | undefined} type its type, if it is not the type of the node
 *
 * @typedef {{ id?: string, description?: string, type?: string } & (
 *   | { kind: 'string', known?: readonly string[] }
 *   | { kind: 'number' | 'boolean' | 'unknown' }
 *   | { kind: 'literal', values: readonly (string | number | boolean)[] }
 *   | { kind: 'array' | 'record' | 'nullable', inner: Node }
 *   | { kind: 'object', members: readonly Member[] }
 *   | { kind: 'union', options: readonly Node[] }
 *   | { kind: 'kinds', key: string, isOpen: boolean, options: readonly { node: Node, values: readonly unknown[] }[] }
 * )} Node
 *
 * @typedef {object} Protocol
 * @property {ReadonlyMap<string, Node>} named
 * @property {Readonly<Record<Direction, Readonly<Record<string, Node>>>>} messages by `type` or `type/subtype`
 * @property {Readonly<Record<string, { node: Node, direction: Direction | 'both' }>>} requests the bodies, by subtype
 * @property {Readonly<Record<string, Node>>} answers the payloads of successes, by the subtype of the request
 * @property {Readonly<Record<string, Node>>} minimal what a session looks at, by the name of its check
 */

/** @returns {Promise<Protocol>} */
export async function readSchemas() {
  const source = await importBundled();
  const read = reader(source.protocol, source.globalRegistry);
  const all = (/** @type {Record<string, unknown>} */ table) =>
    Object.fromEntries(Object.entries(table).map(([name, schema]) => [name, read.node(schema)]));
  const requests = Object.entries(all(source.controlRequests)).map(([subtype, node]) => {
    return [subtype, { node, direction: source.REQUESTS_OF_AGENTS[subtype] ?? 'from-host' }];
  });
  const messages = { 'from-agent': all(source.messagesFromAgent), 'from-host': all(source.messagesFromHost) };
  const answers = all(source.controlResponses);
  const minimal = all(source.minimal);
  for (const exported of source.files) {
    for (const schema of Object.values(exported)) if (schema?._zod !== undefined) read.node(schema);
  }
  return { named: read.named, messages, requests: Object.fromEntries(requests), answers, minimal };
}

export { DIRECTIONS };

async function importBundled() {
  const lines = [
    `export * from './messages.ts'; export * from './control/requests.ts';`,
    `export { protocol } from './open.ts'; export { globalRegistry } from 'zod/mini';`,
    `export * as minimal from './minimal-schemas.ts';`,
    `import * as hooks from './hooks/base.ts'; import * as tools from './content-blocks.ts';`,
    `export const files = [hooks, tools];`,
  ];
  const { outputFiles } = await build({
    stdin: { contents: lines.join('\n'), resolveDir: folder, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    logLevel: 'error',
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}

function reader(protocol, globalRegistry) {
  const nodes = new Map();
  /** @type {Map<string, Node>} */
  const named = new Map();

  /** @returns {Node} */
  const node = (/** @type {any} */ schema) => {
    // A schema that only adds a description counts as the schema from which it was made.
    const { parent, def } = schema._zod;
    if (parent !== undefined && def.checks?.at(-1)?._zod.def.check === 'describe') return node(parent);
    const known = nodes.get(schema);
    if (known !== undefined) return known;
    const { id, description, type } = protocol.get(schema) ?? {};
    const made = Object.assign(shapeOf(schema), id && { id, description }, type && { type });
    nodes.set(schema, made);
    if (id !== undefined) {
      if (named.has(id)) throw new Error(`two schemas are named ${id}`);
      named.set(id, made);
    }
    return made;
  };

  const shapeOf = (/** @type {any} */ schema) => {
    const { def } = schema._zod;
    const { known, isOpen } = protocol.get(schema) ?? {};
    if (isOpen === true) return { ...kinds(def.options[0]), isOpen: true };
    if (def.checks?.length > 0) throw new Error(`a ${def.type} has a check, of which nothing can be made`);
    switch (def.type) {
      case 'string':
        return { kind: 'string', ...(known && { known }) };
      case 'number':
      case 'boolean':
      case 'unknown':
        return { kind: def.type };
      case 'literal':
        return { kind: 'literal', values: def.values };
      case 'enum':
        return { kind: 'literal', values: Object.values(def.entries) };
      case 'array':
        return { kind: 'array', inner: node(def.element) };
      case 'record':
        return { kind: 'record', inner: node(def.valueType) };
      case 'nullable':
        return { kind: 'nullable', inner: node(def.innerType) };
      case 'object':
        if (def.catchall?._zod.def.type !== 'unknown') throw new Error('an object must be a loose one');
        return { kind: 'object', members: Object.entries(def.shape).map(([name, part]) => member(name, part)) };
      case 'union':
        if (def.discriminator !== undefined) return kinds(schema);
        return { kind: 'union', options: def.options.map(node) };
      default:
        throw new Error(`nothing can be made of a ${def.type}`);
    }
  };

  const kinds = (/** @type {any} */ { _zod: { def } }) => ({
    kind: 'kinds',
    key: def.discriminator,
    isOpen: false,
    options: def.options.map((option) => ({
      node: node(option),
      values: [...option._zod.propValues[def.discriminator]],
    })),
  });

  /** @returns {Member} */
  const member = (/** @type {string} */ name, /** @type {any} */ schema) => {
    const description = globalRegistry.get(schema)?.description;
    const plain = schema._zod.parent ?? schema;
    const { isCarried, type } = protocol.get(plain) ?? {};
    if (plain._zod.def.type !== 'optional') return { name, node: node(schema), presence: 'required', description };
    return {
      name,
      node: node(plain._zod.def.innerType),
      presence: isCarried === true ? 'carried' : 'optional',
      description,
      type,
    };
  };

  return { node, named };
}
