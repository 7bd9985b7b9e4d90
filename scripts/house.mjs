// Prints figures of the code base: sizes of files and functions, import cycles, names at the roots: node scripts/house.mjs [--json]. --check fails if
// a size is above its limit and not in scripts/house/exceptions.json, or if an exception is larger than the actual size. --shrink lowers the
// exceptions to the actual sizes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkLimits } from './house/limits.mjs';
import { childrenOf, isNode, readSources, relativeImports, visit } from './house/sources.mjs';
import { packageFolders, ROOT } from './workspace.mjs';

/** @typedef {import('./house/sources.mjs').Node} Node */
/** @typedef {import('./house/sources.mjs').Source} Source */

const sources = readSources();
const written = sources.filter(({ isGenerated }) => !isGenerated);
const byPath = new Map(sources.map((source) => [source.path, source]));

const sizes = written.map(({ lines }) => lines).toSorted((a, b) => a - b);
const total = sizes.reduce((sum, lines) => sum + lines, 0);
const small = sizes.filter((lines) => lines < 26).length;
const cycles = findCycles();
// A component contains its markup, so its length says little about its complexity.
const functions = written.filter(({ path }) => path.endsWith('.ts')).flatMap(functionsOf);
const wiring = longest(functions.filter(({ closures }) => closures >= 10));
const roots = rootNames().toSorted((a, b) => b.list.length - a.list.length);
const cli = written.filter(({ path }) => path.startsWith('packages/cli/'));

/** @type {Record<string, string | number | undefined>} */
const figures = {
  'source files, without tests and generated ones': sizes.length,
  'lines of a file, mean': Math.round(total / sizes.length),
  'lines of a file, median': sizes[sizes.length >> 1],
  'files of fewer than 26 lines': `${small} (${Math.round((small / sizes.length) * 100)} %)`,
  'files of more than 300 lines': sizes.filter((lines) => lines > 300).length,
  'groups of files that import each other, types counted': cycles.length,
  'longest constructor, lines': lineCountOf(longest(functions.filter(({ isConstructor }) => isConstructor))),
  'longest function that holds ten closures or more, lines': lineCountOf(wiring),
  'functions of more than 60 lines': functions.filter(({ lines }) => lines > 60).length,
  'names at the roots': roots.map(({ name, list }) => `${name} ${list.length}`).join(', '),
  'lines of the CLI': cli.reduce((sum, { lines }) => sum + lines, 0),
  'files of the CLI that name a message type': cli.filter(namesMessageType).length,
  'members of Transport': membersOf('Transport'),
  'members of TransportDriver': membersOf('TransportDriver'),
};
const measured = {
  'files in a group that imports itself': cycles.map((files) => ({ size: files.length, name: files.join(' ') })),
  'lines of a file': written.map(({ path, lines }) => ({ size: lines, name: path })),
  'lines of a function': functions.map(({ name, lines }) => ({ size: lines, name })),
  // The entry `messages` exports a name for each message.
  'names of an entry': roots.flatMap(({ name, list }) =>
    name.endsWith('/messages') ? [] : [{ size: list.length, name }],
  ),
  'entries of a package that export a name': sharedNames(),
};
if (process.argv.some((flag) => flag === '--check' || flag === '--shrink')) {
  process.exitCode = checkLimits(measured, process.argv.includes('--shrink')) ? 0 : 1;
} else if (process.argv.includes('--json')) console.log(JSON.stringify({ ...figures, cycles }));
else {
  const width = Math.max(...Object.keys(figures).map((name) => name.length));
  for (const [name, figure] of Object.entries(figures)) console.log(`${name.padEnd(width)}  ${figure}`);
  for (const files of cycles) console.log(`\nThese files import each other: ${files.join(' ')}`);
}

/** @param {{ name: string, lines: number } | undefined} found */
function lineCountOf(found) {
  return found === undefined ? 'none' : `${found.lines} (${found.name})`;
}

/** @template {{ lines: number }} T @param {readonly T[]} list @returns {T | undefined} */
function longest(list) {
  return list.toSorted((a, b) => b.lines - a.lines)[0];
}

/** @returns {readonly (readonly string[])[]} The strongly connected parts of the import graph that contain several files. */
function findCycles() {
  /** @type {Map<string, number>} */
  const order = new Map();
  /** @type {Map<string, number>} */
  const low = new Map();
  /** @type {string[]} */
  const open = [];
  /** @type {string[][]} */
  const found = [];
  /** @param {Source} source */
  const connect = (source) => {
    const { path } = source;
    order.set(path, order.size);
    low.set(path, order.size - 1);
    open.push(path);
    for (const target of relativeImports(source)) {
      const next = byPath.get(target);
      if (next === undefined) continue;
      if (!order.has(target)) connect(next);
      if (open.includes(target)) low.set(path, Math.min(Number(low.get(path)), Number(low.get(target))));
    }
    if (low.get(path) !== order.get(path)) return;
    const part = open.splice(open.indexOf(path));
    if (part.length > 1) found.push(part.toSorted());
  };
  for (const source of sources) if (!order.has(source.path)) connect(source);
  return found;
}

/** @param {Source} source */
function functionsOf({ path, text, tree }) {
  /** @type {{ name: string, lines: number, closures: number, isConstructor: boolean }[]} */
  const found = [];
  /** @param {Node} node @param {string} name @param {boolean} isConstructor */
  const look = (node, name, isConstructor) => {
    const inner = nameOf(node) ?? name;
    const isFunction = /Function/.test(node.type) && isNode(node['body']);
    if (isFunction) {
      const lines = text.slice(node.start, node.end).split('\n').length;
      found.push({ name: `${path} ${inner}`, lines, closures: closuresIn(node), isConstructor });
    }
    for (const child of childrenOf(node)) {
      look(child, inner, node.type === 'MethodDefinition' && node['kind'] === 'constructor' && child === node['value']);
    }
  };
  look(tree, '', false);
  return found;
}

/** @param {Node} node @returns {string | undefined} */
function nameOf(node) {
  const named = /** @type {{ name?: unknown } | null | undefined} */ (node['id'] ?? node['key']);
  return typeof named?.name === 'string' ? named.name : undefined;
}

/** @param {Node} node */
function closuresIn(node) {
  let count = -1;
  visit(node, ({ type }) => void (/^(Arrow)?Function/.test(type) && count++));
  return count;
}

function rootNames() {
  return packageFolders().flatMap((folder) => {
    const { name, exports = {}, private: isPrivate } = readJson(join(folder, 'package.json'));
    if (isPrivate === true) return [];
    return Object.entries(exports).flatMap(([entry, target]) => {
      const file = target['@proto/source'];
      if (file === undefined || entry === './internal') return [];
      const source = byPath.get(join(folder, file));
      return source === undefined
        ? []
        : [{ name: name + entry.slice(1), pack: name, list: [...exportedNames(source)] }];
    });
  });
}

/** How many entries of a package export each of its names. */
function sharedNames() {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { pack, list } of roots) {
    for (const name of list) counts.set(`${name} of ${pack}`, (counts.get(`${name} of ${pack}`) ?? 0) + 1);
  }
  return [...counts].map(([name, size]) => ({ size, name }));
}

/** @param {string} path @returns {{ name: string, private?: boolean, exports?: Record<string, Record<string, string>> }} */
function readJson(path) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

/** @param {Source} source @returns {Set<string>} */
function exportedNames(source) {
  /** @type {Set<string>} */
  const names = new Set();
  for (const [at, statement] of /** @type {any[]} */ (source.tree['body']).entries()) {
    if (statement.type === 'ExportAllDeclaration') {
      const target = byPath.get(
        relativeImports({ ...source, tree: /** @type {any} */ ({ body: [statement] }) })[0] ?? '',
      );
      if (statement.exported) names.add(statement.exported.name);
      else if (target) for (const name of exportedNames(target)) names.add(name);
      else names.add(`everything of import ${at}`);
    }
    if (statement.type !== 'ExportNamedDeclaration') continue;
    for (const { exported } of statement.specifiers ?? []) names.add(exported.name);
    const { declaration } = statement;
    for (const { id } of declaration?.declarations ?? (declaration ? [declaration] : []))
      if (id?.name) names.add(id.name);
  }
  return names;
}

/** @param {Source} source */
function namesMessageType({ tree }) {
  const types =
    /^(user|assistant|system|result|stream_event|control_(request|response|cancel_request)|keep_alive|transcript_mirror)$/;
  let found = false;
  visit(tree, (node) => {
    const text = node.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : '';
    if (types.test(text) && text.includes('_')) found = true;
    if (node.type !== 'BinaryExpression') return;
    const [left, right] = /** @type {any[]} */ ([node['left'], node['right']]);
    const isType = [left, right].some((side) => side?.name === 'type' || side?.property?.name === 'type');
    if (isType && [left, right].some((side) => types.test(String(side?.value)))) found = true;
  });
  return found;
}

/** @param {string} name */
function membersOf(name) {
  for (const { path, tree } of sources) {
    if (!path.startsWith('packages/core/src/transport/')) continue;
    for (const { declaration } of /** @type {any[]} */ (tree['body'])) {
      if (declaration?.type === 'TSInterfaceDeclaration' && declaration.id.name === name)
        return declaration.body.body.length;
    }
  }
  return 'not found';
}
