// The shape of a type, independent of how the type is written: two types with the same key allow the same values.
import { parseSync } from 'oxc-parser';

/** @typedef {import('../house/sources.mjs').Node} Node */
/** @typedef {{ readonly optional: boolean, readonly shape: Shape }} Member */
/**
 * @typedef {{ readonly text: string, readonly key: string } & (
 *   | { readonly kind: 'object', readonly members: ReadonlyMap<string, Member> }
 *   | { readonly kind: 'union', readonly options: readonly Shape[] }
 *   | { readonly kind: 'array', readonly item: Shape }
 *   | { readonly kind: 'literal', readonly value: unknown }
 *   | { readonly kind: 'named', readonly name: string, readonly of: readonly Shape[] }
 *   | { readonly kind: 'other' })} Shape
 */

/** @param {string} type in the syntax of TypeScript @returns {Shape} */
export function shapeOf(type) {
  const text = `type Type = ${type};`;
  const { program, errors } = parseSync('type.d.ts', text);
  const [declaration] = /** @type {any[]} */ (program.body);
  if (errors.length > 0) throw new Error(`not a type: ${type}`);
  return shapeOfNode(declaration.typeAnnotation, text);
}

/**
 * The text of a type in one line, without comments.
 * @param {{ readonly start: number, readonly end: number }} node
 * @param {string} text of the whole file, without comments
 */
export function lineOf({ start, end }, text) {
  return text
    .slice(start, end)
    .replace(/\s+/g, ' ')
    .replace(/(^|[(<[{:] ?)\| /g, '$1');
}

/** @param {any} node @param {string} text @returns {Shape} */
function shapeOfNode(node, text) {
  const line = lineOf(node, text);
  switch (node.type) {
    case 'TSParenthesizedType':
      return shapeOfNode(node.typeAnnotation, text);
    case 'TSTypeLiteral':
      return objectShape(node, text);
    case 'TSUnionType': {
      /** @type {Shape[]} */
      const all = node.types.map((/** @type {Node} */ option) => shapeOfNode(option, text));
      const options = all.flatMap((option) => (option.kind === 'union' ? option.options : [option]));
      const keys = [...new Set(options.map(({ key }) => key))].toSorted();
      return { kind: 'union', text: line, key: keys.join(' | '), options };
    }
    case 'TSArrayType': {
      const item = shapeOfNode(node.elementType, text);
      return { kind: 'array', text: line, key: `(${item.key})[]`, item };
    }
    case 'TSLiteralType': {
      const { value } = node.literal;
      // A negative number is parsed as an operator and a number.
      return value === undefined
        ? other(node, text)
        : { kind: 'literal', text: line, key: JSON.stringify(value), value };
    }
    case 'TSTypeReference':
      return namedShape(node, text);
    default:
      return other(node, text);
  }
}

/** @param {any} node @param {string} text @returns {Shape} */
function objectShape({ members: nodes, ...node }, text) {
  /** @type {Map<string, Member>} */
  const members = new Map();
  for (const member of nodes) {
    const type = member.typeAnnotation?.typeAnnotation;
    const name = member.type === 'TSPropertySignature' ? nameOf(member.key) : undefined;
    if (name !== undefined && type) {
      members.set(name, { optional: member.optional, shape: shapeOfNode(type, text) });
    } else if (member.type === 'TSIndexSignature') {
      members.set('[any other]', { optional: true, shape: shapeOfNode(type, text) });
    } else members.set(lineOf(member, text), { optional: false, shape: other(member, text) });
  }
  const keys = [...members].map(([name, { optional, shape }]) => `${name}${optional ? '?' : ''}: ${shape.key}`);
  return { kind: 'object', text: lineOf(node, text), key: `{ ${keys.toSorted().join('; ')} }`, members };
}

/** @param {any} node @param {string} text @returns {Shape} */
function namedShape(node, text) {
  // Some declarations name a type directly, and others name the same type through a namespace.
  const name = node.typeName.right?.name ?? node.typeName.name;
  /** @type {Shape[]} */
  const of = (node.typeArguments?.params ?? []).map((/** @type {Node} */ part) => shapeOfNode(part, text));
  const [item] = of;
  const line = lineOf(node, text);
  if (name === 'Array' && item !== undefined) return { kind: 'array', text: line, key: `(${item.key})[]`, item };
  const key = of.length === 0 ? name : `${name}<${of.map((part) => part.key).join(', ')}>`;
  return { kind: 'named', text: line, key, name, of };
}

/**
 * A shape that is compared by its text, without spaces.
 * @param {Node} node @param {string} text @returns {Shape}
 */
function other(node, text) {
  const line = lineOf(node, text);
  return { kind: 'other', text: line, key: line.replaceAll(' ', '') };
}

/** @param {any} key @returns {string | undefined} */
function nameOf(key) {
  return key.name ?? (typeof key.value === 'string' ? key.value : undefined);
}
