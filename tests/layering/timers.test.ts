/**
 * JavaScript runs a timer above 2 ** 31 - 1 ms after 1 ms. So the time of a raw timer is a number or a constant, or `Math.min` limits the time by one. All
 * other times, which may come from an option, a flag or a peer, use `setTimer` of core, or a clock whose timers use `setTimer`.
 */
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';

type Node = { readonly type: string } & Readonly<Record<string, unknown>>;

const { readSources } = await import(new URL('../../scripts/house/sources.mjs', import.meta.url).href);
const sources = readSources() as readonly { readonly path: string; readonly text: string; readonly tree: Node }[];

/** The place of the time among the arguments. Functions of `node:timers/promises` may have any name. */
const TIMERS: Readonly<Record<string, number>> = { setTimeout: 1, setInterval: 1, 'AbortSignal.timeout': 0 };
const PROMISES = 'node:timers/promises';

/** The files that may set timers with any time. */
const ALLOWED: readonly string[] = [
  'packages/core/src/transport/async/timer.ts',
  // Time limits that the cases of tests name.
  'packages/testkit/src/vitest/within.ts',
];

function isNode(value: unknown): value is Node {
  return typeof (value as Node | null)?.type === 'string';
}

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesOf(child);
  }
}

function nameOf(node: unknown): string {
  const { type, name, object, property } = node as Node;
  if (type === 'Identifier') return String(name);
  return type === 'MemberExpression' ? `${nameOf(object)}.${nameOf(property)}` : '';
}

/** True if an expression is a number or a constant, is limited by one, or is a variable that gets only such values. */
function isFixed(node: Node | undefined | null, tree: Node, within: readonly string[] = []): boolean {
  if (node === undefined || node === null) return true;
  const isPart = (part: unknown) => isFixed(part as Node, tree, within);
  const { type, name, value, left, right, operator, callee, arguments: given } = node;
  if (type === 'Literal') return typeof value === 'number';
  if (type === 'Identifier') return /^[A-Z][A-Z\d_]*$/.test(String(name)) || hasFixedValues(String(name), tree, within);
  if (type === 'ParenthesizedExpression') return isPart(node['expression']);
  if (type === 'BinaryExpression') return operator !== '**' && isPart(left) && isPart(right);
  if (type === 'CallExpression' && nameOf(callee) === 'Math.min') return (given as Node[]).some(isPart);
  return false;
}

/** True if every value that a file assigns to a variable of this name is fixed. A value that is computed from the variable itself is not fixed. */
function hasFixedValues(name: string, tree: Node, within: readonly string[]): boolean {
  if (within.includes(name)) return false;
  const values = [...nodesOf(tree)].flatMap((node): readonly (Node | undefined)[] => {
    if (node.type === 'VariableDeclarator' && nameOf(node['id']) === name) return [node['init'] as Node];
    if (node.type === 'AssignmentExpression' && nameOf(node['left']) === name) return [node['right'] as Node];
    // A parameter may have any value.
    const parameters = (Array.isArray(node['params']) ? node['params'] : []) as Node[];
    return parameters.some((parameter) => nameOf(parameter) === name) ? [{ type: 'Unknown' }] : [];
  });
  // `Math.min(2 * wait, MAX)` is fixed by its other argument.
  const refers = (value: Node | undefined) =>
    value?.type !== 'CallExpression' && [...nodesOf(value ?? { type: 'None' })].some((node) => nameOf(node) === name);
  return values.length > 0 && values.every((value) => !refers(value) && isFixed(value, tree, [...within, name]));
}

function importedTimers(tree: Node): ReadonlyMap<string, number> {
  const found = new Map(Object.entries(TIMERS));
  for (const node of tree['body'] as Node[]) {
    const source = node['source'] as Node | null | undefined;
    if (node.type !== 'ImportDeclaration' || source?.['value'] !== PROMISES) continue;
    for (const { imported, local } of node['specifiers'] as Node[]) {
      if (nameOf(imported) !== 'setImmediate') found.set(nameOf(local), 0);
    }
  }
  return found;
}

/** The raw timers of a file whose time may be any number. */
function freeTimers(text: string, tree: Node): readonly string[] {
  const timers = importedTimers(tree);
  return [...nodesOf(tree)].flatMap((node) => {
    const place =
      node.type === 'CallExpression' ? timers.get(nameOf(node['callee']).replace(/^globalThis\./, '')) : undefined;
    if (place === undefined || isFixed((node['arguments'] as Node[])[place], tree)) return [];
    return [text.slice(Number(node['start']), Number(node['end'])).replace(/\s+/g, ' ').slice(0, 80)];
  });
}

test('no source sets a raw timer with a time that may be above what timers can count', () => {
  const found = sources
    .filter(({ path }) => !ALLOWED.includes(path))
    .flatMap(({ path, text, tree }) => freeTimers(text, tree).map((call) => `${path}: ${call}`));
  expect(found).toEqual([]);
});

test.for([
  'setTimeout(act, ms);',
  'globalThis.setTimeout(act, options.graceMs);',
  'setInterval(act, everyMs / 2);',
  'setInterval(act, FIRST_MS * 2 ** attempt);',
  'AbortSignal.timeout(Math.max(MS, timeoutMs));',
  `import { setTimeout as delay } from 'node:timers/promises'; await delay(wait);`,
])('the check finds %s', (code) => {
  const { program } = parseSync('a.ts', code);
  expect(freeTimers(code, program as unknown as Node)).toHaveLength(1);
});

test.for([
  'setTimeout(act, 10); setTimeout(act); clock.setTimeout(act, ms);',
  'setInterval(act, IDLE_MS / 2); AbortSignal.timeout(Math.min(timeoutMs, LONGEST_MS));',
  `import { setImmediate as turn } from 'node:timers/promises'; await turn(value);`,
])('the check allows %s', (code) => {
  const { program } = parseSync('a.ts', code);
  expect(freeTimers(code, program as unknown as Node)).toEqual([]);
});
