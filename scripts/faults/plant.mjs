import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { packageFolders } from '../workspace.mjs';

import { fillIn, findSyntax, parseSource } from './syntax-pattern.mjs';

/**
 * A fault to plant: a piece of syntax of an exported function or class, and its replacement. A fault names neither files nor local variables nor
 * private members, so that renaming them does not affect the fault.
 * @typedef {object} Fault
 * @property {string} id The area and what goes wrong.
 * @property {string} in The package and the exported name, such as `core LineDecoder` or `core LineDecoder.push`.
 * @property {string} find The syntax to replace (see syntax-pattern.mjs), which occurs once in the named code or, if not there, once in its file.
 * @property {string} becomes The replacement; empty to remove the syntax.
 * @property {readonly string[]} [breaks] The requirements and promises that the fault breaks: a test that cites one of them has to find the fault.
 * @property {string} [scenario] Instead of `breaks`: the scenario whose random schedules have to find the fault.
 * @property {number} [seed] The seed of these schedules, if the schedules of the default seed do not trigger the fault. Default 1.
 * @property {readonly string[]} [tests] Without `breaks`: test files, one of which has to find the fault. With `breaks`: files in the folder `tests`
 * that cite what the fault breaks.
 */

/** @typedef {import('./syntax-pattern.mjs').Node} Node */
/** @typedef {{ path: string, text: string, tree: Node, exported: ReadonlyMap<string, Node> }} Source */

/**
 * Returns the file of a fault, and its text with the fault. Throws if the syntax does not occur exactly once: the source has changed,
 * and the fault must be adapted.
 * @param {string} root
 * @param {Fault} fault
 * @returns {{ path: string, text: string }}
 */
export function plant(root, { id, in: place, find, becomes }) {
  const [folder = '', name = ''] = place.split(' ');
  const [exported = '', member] = name.split('.');
  const homes = sourcesOf(root, folder).filter((source) => source.exported.has(exported));
  const [home] = homes;
  if (home === undefined || homes.length > 1) {
    throw new Error(`${id} is stale: ${homes.length} files of ${folder} export ${exported}`);
  }
  const declared = /** @type {Node} */ (home.exported.get(exported));
  const scope = member === undefined ? declared : memberOf(declared, member);
  if (scope === undefined) throw new Error(`${id} is stale: ${exported} has no member ${member}`);
  let matches = findSyntax(find, scope, home.text);
  if (matches.length === 0 && member === undefined) matches = findSyntax(find, home.tree, home.text);
  const [match] = matches;
  if (match === undefined || matches.length > 1) {
    throw new Error(`${id} is stale: ${place} has this ${matches.length} times: ${find}`);
  }
  // A private name in the replacement must exist in the file: with an unknown name, every test would fail, whatever it checks.
  for (const [privateName] of becomes.matchAll(/#[a-z]\w*/g)) {
    if (!home.text.includes(privateName)) throw new Error(`${id} is stale: ${home.path} has no ${privateName}`);
  }
  const { start, end, names, isElement } = match;
  const rest = home.text.slice(end);
  if (becomes !== '') return { path: home.path, text: home.text.slice(0, start) + fillIn(becomes, names) + rest };
  // A removed statement becomes an empty statement, because it may be the whole body of an `if`.
  return { path: home.path, text: home.text.slice(0, start) + (isElement ? rest.replace(/^\s*,/, '') : `;${rest}`) };
}

/** @type {Map<string, readonly Source[]>} */
const known = new Map();

/** @param {string} root @param {string} folder @returns {readonly Source[]} */
function sourcesOf(root, folder) {
  const home = packageFolders(root).find((path) => basename(path) === folder);
  if (home === undefined) throw new Error(`no package has the folder ${folder}`);
  const source = join(home, 'src');
  const before = known.get(join(root, source));
  if (before !== undefined) return before;
  const paths = readdirSync(join(root, source), { recursive: true, encoding: 'utf8' });
  const sources = paths
    .filter((path) => path.endsWith('.ts') && !/\.(test|test-d|test-support|d)\.ts$/.test(path))
    .map((path) => {
      const text = readFileSync(join(root, source, path), 'utf8');
      const tree = parseSource(text);
      return { path: join(source, path), text, tree, exported: exportsOf(tree) };
    });
  known.set(join(root, source), sources);
  return sources;
}

/** @param {Node} tree @returns {ReadonlyMap<string, Node>} What a file declares and exports, by name. */
function exportsOf(tree) {
  /** @type {Map<string, Node>} */
  const found = new Map();
  for (const statement of /** @type {Node[]} */ (tree['body'])) {
    if (statement.type !== 'ExportNamedDeclaration') continue;
    const declaration = /** @type {Node | null} */ (statement['declaration']);
    if (declaration === null || declaration.type.startsWith('TS')) continue;
    const several = /** @type {Node[] | undefined} */ (declaration['declarations']) ?? [declaration];
    for (const one of several) {
      const id = /** @type {Node | null} */ (one['id']);
      if (typeof id?.['name'] === 'string') found.set(id['name'], one);
    }
  }
  return found;
}

/** @param {Node} declared @param {string} name @returns {Node | undefined} */
function memberOf(declared, name) {
  const members = Reflect.get(Object(declared['body']), 'body');
  if (!Array.isArray(members)) return undefined;
  return members.find(({ key }) => key?.type === 'Identifier' && key.name === name);
}
