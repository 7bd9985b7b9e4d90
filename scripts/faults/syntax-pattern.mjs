// Finds a piece of syntax by an example. In the example, a name that begins with $ stands for any expression: `$line.charCodeAt(0)` matches
// `text.charCodeAt(0)`. If a $name occurs twice, both occurrences must match the same text. `#$name` stands for any private member, `$$name` for any
// number of statements, arguments or elements. Types, parentheses and semicolons are ignored.
import { parseSync } from 'oxc-parser';

/** @typedef {{ type: string, start: number, end: number } & Record<string, unknown>} Node */
/** @typedef {Map<string, string>} Names What each $name stands for: a piece of the text. */
/**
 * @typedef {{ start: number, end: number, names: Names, isElement: boolean }} Match `isElement`: whether the match is an element of a list with
 * commas.
 */

/**
 * The syntax tree of a source file.
 * @param {string} text
 * @returns {Node}
 */
export function parseSource(text) {
  const { program, errors } = parseSync('source.ts', text, { preserveParens: false });
  if (errors.length > 0) throw new Error(`cannot be parsed: ${errors[0]?.message}`);
  return /** @type {Node} */ (/** @type {unknown} */ (program));
}

/**
 * The places below a node where an example occurs.
 * @param {string} example One expression, some statements, a property, or a member of a class.
 * @param {Node} scope
 * @param {string} text The text of the file, of which `scope` is a part.
 * @returns {readonly Match[]}
 */
export function findSyntax(example, scope, text) {
  const wanted = parseExample(example);
  /** @type {Match[]} */
  const found = [];
  visit(scope, (node, list) => {
    const nodes = list ?? [node];
    for (let from = 0; from + wanted.length <= nodes.length; from++) {
      const names = new Map();
      const part = nodes.slice(from, from + wanted.length);
      if (!wanted.every((one, at) => isAlike(one, part[at], names, text))) continue;
      const [first, last] = [part[0], part.at(-1)];
      if (first === undefined || last === undefined) continue;
      if (found.some(({ start, end }) => start === first.start && end === last.end)) continue;
      found.push({ start: first.start, end: last.end, names, isElement: list !== undefined && !isStatement(first) });
    }
  });
  return found;
}

/**
 * Replaces each $name in a text with what the name stands for in the match.
 * @param {string} text
 * @param {Names} names
 */
export function fillIn(text, names) {
  return text.replaceAll(/#?\$\$?\w+/g, (name) => {
    const value = names.get(name);
    if (value === undefined) throw new Error(`${name} is in the replacement, but not in the syntax to find`);
    return value;
  });
}

/** @param {Node} node */
function isStatement({ type }) {
  return /Statement$|Declaration$|Definition$/.test(type);
}

/** @param {string} example @returns {readonly Node[]} */
function parseExample(example) {
  const attempts = [
    /** @type {const} */ (['class _ { async *_() { ', ' } }', ['body', 'body', 0, 'value', 'body', 'body']]),
    /** @type {const} */ (['({ ', ' })', ['expression', 'properties']]),
    /** @type {const} */ (['class _ { ', ' }', ['body', 'body']]),
  ];
  for (const [before, after, path] of attempts) {
    const { program, errors } = parseSync('example.ts', before + example + after, { preserveParens: false });
    if (errors.length > 0) continue;
    /** @type {unknown} */
    let nodes = program.body[0];
    for (const step of path) nodes = /** @type {any} */ (nodes)?.[step];
    const list = /** @type {Node[]} */ (nodes);
    const [only] = list;
    // A property such as `name: value` would also parse as a label.
    if (!Array.isArray(list) || only?.type === 'LabeledStatement') continue;
    const isExpression = list.length === 1 && only?.type === 'ExpressionStatement' && !example.trimEnd().endsWith(';');
    return isExpression ? [/** @type {Node} */ (only['expression'])] : list;
  }
  throw new Error(`no syntax: ${example}`);
}

// Members of a syntax tree that do not matter to the comparison.
const IGNORED = new Set(
  `type start end raw shorthand decorators typeAnnotation returnType typeParameters typeArguments superTypeArguments accessibility definite
  declare override readonly directive`.split(/\s+/),
);
const WRAPPERS = new Set(['ParenthesizedExpression', 'TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']);

/** @param {unknown} value @returns {value is Node} */
function isNode(value) {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';
}

/** @param {unknown} value @returns {unknown} */
function unwrapped(value) {
  return isNode(value) && WRAPPERS.has(value.type) ? unwrapped(value['expression']) : value;
}

/**
 * Whether a piece of syntax matches the example. Notes in `names` what each $name stands for.
 * @param {unknown} example
 * @param {unknown} actual
 * @param {Names} names
 * @param {string} text
 * @returns {boolean}
 */
function isAlike(example, actual, names, text) {
  const [a, b] = [unwrapped(example), unwrapped(actual)];
  if (Array.isArray(a)) return Array.isArray(b) && areAlike(a, b, names, text);
  if (!isNode(a)) return isSame(a, b);
  if (!isNode(b)) return false;
  const placeholder = placeholderOf(a);
  if (placeholder !== undefined) {
    if (placeholder.startsWith('#') && b.type !== 'PrivateIdentifier') return false;
    return binds(names, placeholder, nodeText(b, text));
  }
  if (a.type !== b.type) return false;
  return Object.keys(a).every((key) => IGNORED.has(key) || isAlike(a[key], b[key], names, text));
}

/**
 * @param {readonly unknown[]} examples
 * @param {readonly unknown[]} actual
 * @param {Names} names
 * @param {string} text
 * @returns {boolean}
 */
function areAlike(examples, actual, names, text) {
  const at = examples.findIndex((one) => isNode(one) && placeholderOf(one)?.startsWith('$$'));
  if (at === -1) {
    return (
      examples.length === actual.length && examples.every((one, place) => isAlike(one, actual[place], names, text))
    );
  }
  const after = examples.length - at - 1;
  if (actual.length < at + after) return false;
  const many = /** @type {Node[]} */ (actual.slice(at, actual.length - after));
  const ofMany = many.length === 0 ? '' : text.slice(many[0]?.start, many.at(-1)?.end);
  return (
    examples.slice(0, at).every((one, place) => isAlike(one, actual[place], names, text)) &&
    binds(names, placeholderOf(/** @type {Node} */ (examples[at])) ?? '', ofMany) &&
    (after === 0 || areAlike(examples.slice(-after), actual.slice(-after), names, text))
  );
}

/** @param {Node} node @returns {string | undefined} */
function placeholderOf(node) {
  if (node.type === 'ExpressionStatement') {
    const inner = /** @type {Node} */ (node['expression']);
    return isNode(inner) && placeholderOf(inner)?.startsWith('$$') ? placeholderOf(inner) : undefined;
  }
  const { name } = node;
  if (typeof name !== 'string' || !name.startsWith('$')) return undefined;
  return node.type === 'PrivateIdentifier' ? `#${name}` : node.type === 'Identifier' ? name : undefined;
}

/** The text of a node. The text of a name does not contain the type that a declaration adds to it. @param {Node} node @param {string} text */
function nodeText(node, text) {
  if (node.type === 'Identifier') return String(node['name']);
  return text.slice(node.start, node.end);
}

/** @param {Names} names @param {string} name @param {string} value */
function binds(names, name, value) {
  const before = names.get(name);
  if (before === undefined) names.set(name, value);
  return before === undefined || before === value;
}

/** @param {unknown} a @param {unknown} b */
function isSame(a, b) {
  if (typeof a === 'object' && a !== null) return JSON.stringify(a) === JSON.stringify(b);
  return (a ?? undefined) === (b ?? undefined);
}

/**
 * Calls `act` for each node, and for each list of nodes as a whole.
 * @param {Node} node
 * @param {(node: Node, list?: readonly Node[]) => void} act
 */
function visit(node, act) {
  act(node);
  for (const value of Object.values(node)) {
    if (isNode(value)) visit(value, act);
    else if (Array.isArray(value)) {
      const list = value.filter(isNode);
      if (list.length > 0) act(node, list);
      list.forEach((one) => visit(one, act));
    }
  }
}
