import { nodeOf } from './json-nodes.ts';

/** The parts of a JSON Schema that the explanation uses. */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly not?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
}

/** One place in a message, with its description from the schemas. */
export interface ExplainedPlace {
  readonly path: string;
  readonly depth: number;
  readonly preview: string;
  /** The description from the schema; undefined if the schema has no description. */
  readonly sentence: string | undefined;
  /** `unknown`: no schema defines this member or its value. */
  readonly check: 'known' | 'unknown';
}

const MAX_PLACES = 400;
const MAX_ITEMS = 20;
const MAX_DEPTH = 12;
const MAX_MATCH_DEPTH = 10;

/**
 * Explains a message with the descriptions from the schemas. Lists the places that the schemas define and the places that they do not define, at most
 * 400 places in total.
 */
export function explainMessage(root: Schema, message: unknown): readonly ExplainedPlace[] {
  const explainer = new Explainer(root);
  explainer.explain(message, { path: '', depth: 0, schemas: [root] });
  return explainer.places;
}

interface Place {
  readonly path: string;
  readonly depth: number;
  /** The schemas for this place; undefined if any value is allowed. */
  readonly schemas: readonly Schema[] | undefined;
}

class Explainer {
  readonly places: ExplainedPlace[] = [];
  readonly #root: Schema;

  constructor(root: Schema) {
    this.#root = root;
  }

  explain(value: unknown, { path, depth, schemas }: Place): void {
    if (this.places.length >= MAX_PLACES || depth > MAX_DEPTH) return;
    const fitting = schemas?.flatMap((schema) => this.#fitting(schema, value, 0));
    const sentence = [...(schemas ?? []), ...(fitting ?? [])].find(({ description }) => description !== undefined);
    const isUnknown = fitting !== undefined && fitting.length === 0;
    this.places.push({
      path: path === '' ? 'message' : path,
      depth,
      preview: nodeOf('', value).preview,
      sentence: sentence?.description,
      check: isUnknown ? 'unknown' : 'known',
    });
    if (typeof value !== 'object' || value === null || isUnknown || fitting === undefined) return;
    if (Array.isArray(value)) this.#items(value, { path, depth, schemas: fitting });
    else this.#members(value as Record<string, unknown>, { path, depth, schemas: fitting });
  }

  #items(values: readonly unknown[], { path, depth, schemas }: Place): void {
    const items = schemas?.flatMap(({ items: item }) => (item === undefined ? [] : [item])) ?? [];
    for (const [at, value] of values.slice(0, MAX_ITEMS).entries()) {
      this.explain(value, {
        path: `${path}[${at}]`,
        depth: depth + 1,
        schemas: items.length === 0 ? undefined : items,
      });
    }
  }

  #members(members: Readonly<Record<string, unknown>>, { path, depth, schemas = [] }: Place): void {
    // A map with arbitrary values has no known names.
    const others = schemas.flatMap(({ additionalProperties: other }) => (typeof other === 'object' ? [other] : []));
    const isOpen = schemas.every(({ properties }) => properties === undefined) && others.length === 0;
    for (const [name, value] of Object.entries(members)) {
      const known = schemas.flatMap(({ properties }) =>
        properties !== undefined && Object.hasOwn(properties, name) ? [properties[name] as Schema] : [],
      );
      const given = known.length > 0 ? known : others.filter((schema) => Object.keys(schema).length > 0);
      const isAnything = known.length === 0 && (isOpen || others.length > 0) && given.length === 0;
      this.explain(value, {
        path: path === '' ? name : `${path}.${name}`,
        depth: depth + 1,
        schemas: isAnything ? undefined : given,
      });
    }
  }

  /** Returns the parts of a schema that match a value. References are followed, and alternatives that do not match are left out. */
  #fitting(schema: Schema, value: unknown, depth: number): readonly Schema[] {
    if (!this.#fits(schema, value, depth)) return [];
    const own = [schema];
    const referred = this.#referred(schema);
    if (referred !== undefined) own.push(...this.#fitting(referred, value, depth + 1));
    for (const part of schema.allOf ?? []) own.push(...this.#fitting(part, value, depth + 1));
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (alternatives !== undefined) {
      const fitting = alternatives.flatMap((part) => this.#fitting(part, value, depth + 1));
      if (fitting.length === 0) return [];
      // An alternative that only excludes kinds represents unknown kinds.
      const known = fitting.filter((part) => !saysOnlyNot(part));
      if (known.length === 0 && schema === this.#root) return [];
      own.push(...(known.length > 0 ? known : fitting));
    }
    return own;
  }

  #fits(schema: Schema, value: unknown, depth: number): boolean {
    if (schema.const !== undefined && schema.const !== value) return false;
    if (schema.enum !== undefined && !schema.enum.includes(value)) return false;
    if (schema.type !== undefined && !isOfType(schema.type, value)) return false;
    if (schema.not !== undefined && this.#fits(schema.not, value, depth + 1)) return false;
    if (depth > MAX_MATCH_DEPTH) return true;
    const referred = this.#referred(schema);
    if (referred !== undefined && !this.#fits(referred, value, depth + 1)) return false;
    if (schema.allOf?.some((part) => !this.#fits(part, value, depth + 1)) === true) return false;
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (alternatives !== undefined && !alternatives.some((part) => this.#fits(part, value, depth + 1))) return false;
    return this.#membersFit(schema, value, depth);
  }

  /** Compares only the members that distinguish one kind of object from others. */
  #membersFit({ properties, required }: Schema, value: unknown, depth: number): boolean {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
    const members = value as Record<string, unknown>;
    if (required?.some((name) => KIND_MEMBERS.includes(name) && !Object.hasOwn(members, name)) === true) return false;
    return KIND_MEMBERS.every((name) => {
      const schema = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
      return schema === undefined || !Object.hasOwn(members, name) || this.#fits(schema, members[name], depth + 1);
    });
  }

  #referred({ $ref: reference }: Schema): Schema | undefined {
    return reference === undefined ? undefined : this.#root.$defs?.[reference.replace('#/$defs/', '')];
  }
}

// The members that distinguish the kinds of objects of the protocol.
const KIND_MEMBERS = ['type', 'subtype', 'behavior', 'request', 'response', 'isReplay', 'hook_event_name', 'event'];

function saysOnlyNot({ properties, $ref, anyOf, allOf }: Schema): boolean {
  if (properties === undefined || $ref !== undefined || anyOf !== undefined || allOf !== undefined) return false;
  return Object.values(properties).some((schema) => schema.not !== undefined);
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}
