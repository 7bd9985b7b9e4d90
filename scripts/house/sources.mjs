// The sources of the packages as syntax trees, for the figures of scripts/house.mjs.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';

import { packageFolders, ROOT } from '../workspace.mjs';

/** @typedef {{ type: string, start: number, end: number } & Record<string, unknown>} Node */
/** @typedef {{ path: string, text: string, lines: number, tree: Node, isGenerated: boolean }} Source */

const NO_SOURCE = /\.(test|test-d|test-support|d)\.tsx?$/;
const GENERATED = /^\/\/ Generated /;

/** @returns {readonly Source[]} Every source file of every package, without tests and files that support them. */
export function readSources() {
  return packageFolders().flatMap((name) => {
    const folder = join(name, 'src');
    return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !NO_SOURCE.test(path))
      .map((path) => readSource(join(folder, path)));
  });
}

/** @param {string} path @returns {Source} */
function readSource(path) {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const { program } = parseSync(path, text);
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return { path, text, lines, tree: /** @type {any} */ (program), isGenerated: GENERATED.test(text) };
}

/**
 * The files that a file imports from by a relative path, or re-exports. Imports of types count too.
 * @param {Source} source
 */
export function relativeImports({ path, tree }) {
  return /** @type {Node[]} */ (tree['body']).flatMap(({ source }) => {
    const from = /** @type {{ value: string } | null | undefined} */ (source)?.value;
    return from?.startsWith('.') ? [join(dirname(path), from)] : [];
  });
}

/** @param {unknown} value @returns {value is Node} */
export function isNode(value) {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';
}

/** @param {Node} node @returns {readonly Node[]} */
export function childrenOf(node) {
  return Object.values(node).flat().filter(isNode);
}

/** @param {Node} node @param {(node: Node) => void} act */
export function visit(node, act) {
  act(node);
  for (const child of childrenOf(node)) visit(child, act);
}
