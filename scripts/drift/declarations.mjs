// The types of a declaration file, with their members.
import { parseSync } from 'oxc-parser';

import { visit } from '../house/sources.mjs';
import { DriftError } from './published-package.mjs';
import { lineOf } from './shape.mjs';

/** @typedef {{ name: string, type: string, optional: boolean, nullable?: true }} Field */
/** @typedef {{ variant: string, fields: Field[] }} Variant */

/** The declarations of one file, without their comments. */
export class Declarations {
  /** @type {Map<string, any>} */
  #nodes = new Map();
  /** @type {Map<string, any>} */
  #functions = new Map();
  #text;
  #file;

  /** @param {string} file its name @param {string} text */
  constructor(file, text) {
    const { program, comments, errors } = parseSync(file, text);
    if (errors.length > 0) throw new DriftError(`${file} cannot be read: ${errors[0]?.message}`);
    this.#file = file;
    this.#text = withoutComments(text, comments);
    for (const statement of /** @type {any[]} */ (program.body)) {
      const declaration = statement.declaration ?? statement;
      if (/^TS(TypeAlias|Interface)Declaration$/.test(declaration.type))
        this.#nodes.set(declaration.id.name, declaration);
      if (declaration.type === 'TSDeclareFunction') this.#functions.set(declaration.id.name, declaration);
      for (const { id } of declaration.declarations ?? []) {
        if (id.typeAnnotation) this.#nodes.set(id.name, { ...id, constant: id.typeAnnotation.typeAnnotation });
      }
    }
  }

  get names() {
    return [...this.#nodes.keys()];
  }

  get functionNames() {
    return [...this.#functions.keys()];
  }

  /** The parameters and the result of a function, as an object type in one line. @param {string} name */
  functionText(name) {
    const { params, returnType } = this.#functions.get(name);
    const typeOf = (/** @type {any} */ annotation) =>
      annotation ? lineOf(annotation.typeAnnotation, this.#text) : 'unknown';
    const parameters = params.map((/** @type {any} */ parameter, /** @type {number} */ at) => {
      const { name: own, argument, optional, typeAnnotation } = parameter;
      return `${own ?? argument?.name ?? `parameter${at}`}${optional ? '?' : ''}: ${typeOf(typeAnnotation)};`;
    });
    // A predicate such as `value is State` is only allowed as the result of a function.
    const result = returnType?.typeAnnotation.type === 'TSTypePredicate' ? 'boolean' : typeOf(returnType);
    return `{ parameters: { ${parameters.join(' ')} }; result: ${result}; }`;
  }

  /** @param {string} name */
  has(name) {
    return this.#nodes.has(name);
  }

  /** The whole type, in one line. @param {string} name */
  textOf(name) {
    const node = this.#declared(name);
    return lineOf(node.constant ?? node.typeAnnotation ?? node.body, this.#text);
  }

  /**
   * The members of an object type, with the members of the types that it extends or joins. Undefined if the type is not an object.
   * @param {string} name
   * @param {string} [without] the name of a type whose members are left out
   * @returns {Field[] | undefined}
   */
  fieldsOf(name, without) {
    const node = this.#declared(name);
    const bases = (node.extends ?? []).map((/** @type {any} */ { expression }) => expression.name);
    const own = this.#fieldsOfType(node.body ?? node.typeAnnotation, without);
    if (own === undefined || node.typeParameters) return undefined;
    const all = [...bases.flatMap((/** @type {string} */ base) => this.fieldsOf(base, without) ?? []), ...own];
    return [...new Map(all.map((field) => [field.name, field])).values()];
  }

  /** The objects that a union is made of; undefined if one of its options is something else. @param {string} name @returns {Variant[] | undefined} */
  variantsOf(name) {
    const { typeAnnotation } = this.#declared(name);
    if (typeAnnotation?.type !== 'TSUnionType') return undefined;
    /** @type {Variant[]} */
    const variants = [];
    for (const [at, option] of typeAnnotation.types.entries()) {
      const variant = option.type === 'TSTypeReference' ? lastName(option.typeName) : `${name}#${at}`;
      const fields = this.#fieldsOfType(option);
      if (fields === undefined) return undefined;
      variants.push({ variant, fields });
    }
    return variants;
  }

  /** The values of an enumeration; undefined if it is something else. @param {string} name @returns {(string | null)[] | undefined} */
  valuesOf(name) {
    const { typeAnnotation, constant } = this.#declared(name);
    const type = constant?.typeAnnotation ?? constant ?? typeAnnotation;
    const options = type?.elementTypes ?? (type?.type === 'TSUnionType' ? type.types : [type]);
    const values = options.map((/** @type {any} */ option) =>
      option?.type === 'TSNullKeyword' ? null : option?.literal?.value,
    );
    return values.every((/** @type {unknown} */ value) => typeof value === 'string' || value === null)
      ? values
      : undefined;
  }

  /** The names of the types in a union of named types. Unions in the union are resolved. @param {string} name @returns {string[]} */
  optionsOf(name) {
    const { typeAnnotation } = this.#declared(name);
    const options = typeAnnotation?.type === 'TSUnionType' ? typeAnnotation.types : [typeAnnotation];
    const isUnion = options.every((/** @type {any} */ option) => option?.type === 'TSTypeReference');
    if (!isUnion) return [name];
    return options.flatMap((/** @type {any} */ { typeName }) => this.optionsOf(lastName(typeName)));
  }

  /** The declared types that a type names. @param {string} name */
  namesIn(name) {
    /** @type {Set<string>} */
    const names = new Set();
    visit(this.#declared(name), (node) => {
      const named = node['typeName'] ?? (node.type === 'TSInterfaceHeritage' ? node['expression'] : undefined);
      if (named && this.#nodes.has(lastName(named))) names.add(lastName(named));
    });
    return names;
  }

  /** @param {any} type @param {string} [without] @returns {Field[] | undefined} */
  #fieldsOfType(type, without) {
    switch (type?.type) {
      case 'TSTypeLiteral':
      case 'TSInterfaceBody':
        return (type.members ?? type.body).flatMap((/** @type {any} */ member) => this.#fieldsOfMember(member));
      case 'TSParenthesizedType':
        return this.#fieldsOfType(type.typeAnnotation, without);
      case 'TSIntersectionType': {
        const parts = type.types.map((/** @type {any} */ part) => this.#fieldsOfType(part, without));
        return parts.includes(undefined) ? undefined : parts.flat();
      }
      case 'TSTypeReference': {
        const name = lastName(type.typeName);
        if (name === without) return [];
        return this.#nodes.has(name) ? this.fieldsOf(name, without) : undefined;
      }
      default:
        return undefined;
    }
  }

  /** @param {any} member @returns {Field[]} */
  #fieldsOfMember({ type: kind, key, typeAnnotation, optional }) {
    if (kind !== 'TSPropertySignature' || !typeAnnotation) return [];
    const type = lineOf(typeAnnotation.typeAnnotation, this.#text);
    const nullable = / \| null$|^null \| /.test(type);
    return [{ name: key.name ?? key.value, type, optional, ...(nullable ? { nullable: true } : {}) }];
  }

  /** @param {string} name */
  #declared(name) {
    const node = this.#nodes.get(name);
    if (node === undefined) throw new DriftError(`${this.#file} declares no type ${name}.`);
    return node;
  }
}

/** @param {any} typeName @returns {string} */
function lastName(typeName) {
  return typeName.right?.name ?? typeName.name;
}

/** Replaces the comments by blanks, so that the positions of the other text do not change. @param {string} text @param {readonly { start: number, end: number }[]} comments */
function withoutComments(text, comments) {
  let rest = '';
  let at = 0;
  for (const { start, end } of comments) {
    rest += text.slice(at, start) + ' '.repeat(end - start);
    at = end;
  }
  return rest + text.slice(at);
}
