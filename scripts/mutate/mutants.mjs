import { parseSource } from '../faults/syntax-pattern.mjs';
import { isNode } from '../house/sources.mjs';

/** @typedef {import('../faults/syntax-pattern.mjs').Node} Node */

/**
 * One small change of a source file.
 * @typedef {object} Mutant
 * @property {number} start The start of the replaced text.
 * @property {number} end
 * @property {string} becomes The replacement.
 * @property {number} line From 1.
 */

/** @typedef {(start: number, end: number, becomes: string) => void} Replace */

/**
 * The replacements of each operator. A comparison such as `<` has two replacements: the operator that people confuse with it, and its opposite, which
 * shows whether any test checks it.
 */
const OPERATORS = new Map(
  Object.entries({
    '<': ['<=', '>='],
    '<=': ['<', '>'],
    '>': ['>=', '<='],
    '>=': ['>', '<'],
    '===': ['!=='],
    '!==': ['==='],
    '+': ['-'],
    '-': ['+'],
    '*': ['/'],
    '/': ['*'],
    '**': ['*'],
    '%': ['*'],
    '&': ['|'],
    '|': ['&'],
    '<<': ['>>'],
    '>>': ['<<'],
    '&&': ['||'],
    '||': ['&&'],
    '??': ['&&'],
    '+=': ['-='],
    '-=': ['+='],
    '??=': ['='],
  }),
);

/** The nodes that add a type to a value. Only the value is changed. */
const TYPED_VALUES = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']);

/**
 * All mutants of a file that still parse. Types, imports and names are not changed: types and imports of types do not exist at run time, and the
 * compiler finds wrong names.
 * @param {string} text
 * @returns {Mutant[]}
 */
export function mutantsOf(text) {
  /** @type {Mutant[]} */
  const found = [];
  walk(parseSource(text), text, (start, end, becomes) => {
    const mutant = { start, end, becomes, line: text.slice(0, start).split('\n').length };
    if (text.slice(start, end) !== becomes && parses(mutate(text, mutant))) found.push(mutant);
  });
  return found;
}

/** @param {string} text @param {Mutant} mutant */
export function mutate(text, { start, end, becomes }) {
  return text.slice(0, start) + becomes + text.slice(end);
}

/** @param {string} text */
function parses(text) {
  try {
    parseSource(text);
    return true;
  } catch {
    return false;
  }
}

/** @param {Node} node @param {string} text @param {Replace} replace */
function walk(node, text, replace) {
  if (/^(TS|Import|ExportAll)/.test(node.type) && !TYPED_VALUES.has(node.type)) return;
  changeOperators(node, text, replace);
  changeConditions(node, replace);
  changeValues(node, replace);
  removeStatements(node, replace);
  for (const [name, part] of Object.entries(node)) {
    // A key that is not computed, and the file name in an export, are names and not expressions.
    if ((name === 'key' && node['computed'] !== true) || name === 'source') continue;
    for (const child of Array.isArray(part) ? part : [part]) if (isNode(child)) walk(child, text, replace);
  }
}

/** @param {Node} node @param {string} text @param {Replace} replace */
function changeOperators(node, text, replace) {
  const { type, start, left, right, operator, argument, object, callee } = node;
  if (typeof operator === 'string' && isNode(left) && isNode(right)) {
    const at = text.indexOf(operator, left.end);
    for (const other of OPERATORS.get(operator) ?? []) replace(at, at + operator.length, other);
  }
  if (type === 'UnaryExpression' && (operator === '!' || operator === '-')) replace(start, start + 1, '');
  if (type === 'UpdateExpression' && isNode(argument)) {
    const at = node['prefix'] === true ? start : argument.end;
    replace(at, at + 2, operator === '++' ? '--' : '++');
  }
  const before = object ?? callee;
  if (node['optional'] === true && isNode(before)) {
    const at = text.indexOf('?.', before.end);
    replace(at, at + 2, /[([]/.test(text.charAt(at + 2)) ? '' : '.');
  }
}

/** @param {Node} node @param {Replace} replace */
function changeConditions({ type, test }, replace) {
  if (!isNode(test) || type === 'SwitchCase') return;
  // An endless loop would only use up the time limit.
  const isLoop = type !== 'IfStatement' && type !== 'ConditionalExpression';
  for (const value of isLoop ? ['false'] : ['true', 'false']) replace(test.start, test.end, value);
}

/** @param {Node} node @param {Replace} replace */
function changeValues(node, replace) {
  const { type, start, end, argument, body, expression } = node;
  if (type === 'Literal') {
    const { value } = node;
    if (typeof value === 'boolean') replace(start, end, String(!value));
    if (typeof value === 'number') replace(start, end, value === 1 ? '0' : String(value + 1));
    if (typeof value === 'string' && value !== '') replace(start, end, "''");
  }
  if (type === 'TemplateLiteral') replace(start, end, '``');
  if (type === 'ReturnStatement' && isNode(argument)) replace(argument.start, argument.end, 'undefined');
  if (type === 'ArrowFunctionExpression' && expression === true && isNode(body)) {
    replace(body.start, body.end, 'undefined');
  }
}

const REMOVABLE = new Set(['ExpressionStatement', 'ThrowStatement', 'BreakStatement', 'ContinueStatement']);

/** @param {Node} node @param {Replace} replace */
function removeStatements({ type, start, end, argument, expression }, replace) {
  if (isNode(expression) && isNode(expression['callee']) && expression['callee'].type === 'Super') return;
  if (REMOVABLE.has(type) || (type === 'ReturnStatement' && argument === null)) replace(start, end, ';');
}
