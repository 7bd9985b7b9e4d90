import type { Declared } from './inventory-type.test-support.ts';

export interface Place {
  readonly path: readonly (string | number)[];
  readonly type: Declared;
  readonly optional: boolean;
}

const KINDS = { string: 'a text', number: 7, boolean: true, null: null, array: [], object: {} } as const;

export function valueOf(type: Declared, withOptional: boolean): unknown {
  switch (type.kind) {
    case 'unknown':
      return { any: ['thing'] };
    case 'literal':
      return type.value;
    case 'array':
      return [valueOf(type.item, withOptional)];
    case 'record':
      return { key: valueOf(type.item, withOptional) };
    case 'union':
      return valueOf(firstOf(type.options), withOptional);
    case 'object': {
      const fields = type.fields.filter(({ optional }) => withOptional || !optional);
      return Object.fromEntries(fields.map(({ name, type: member }) => [name, valueOf(member, withOptional)]));
    }
    default:
      return KINDS[type.kind];
  }
}

/** Every place in the result of `valueOf(type, true)`, outermost first; for a union only the option that `valueOf` takes. */
export function placesIn(type: Declared, path: readonly (string | number)[] = [], optional = false): Place[] {
  return [{ path, type, optional }, ...inside(type, path)];
}

function inside(type: Declared, path: readonly (string | number)[]): Place[] {
  switch (type.kind) {
    case 'array':
      return placesIn(type.item, [...path, 0]);
    case 'record':
      return placesIn(type.item, [...path, 'key']);
    case 'union':
      return inside(firstOf(type.options), path);
    case 'object':
      return type.fields.flatMap(({ name, type: member, optional }) => placesIn(member, [...path, name], optional));
    default:
      return [];
  }
}

/** One value of each kind of JSON that the type does not allow. */
export function wrongValues(type: Declared): unknown[] {
  const allowed = kindsOf(type);
  if (allowed.includes('unknown')) return [];
  const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[];
  return kinds.filter((kind) => !allowed.includes(kind)).map((kind) => KINDS[kind]);
}

export function knownStrings(type: Declared): readonly string[] {
  const options = type.kind === 'union' ? type.options.filter(({ kind }) => kind !== 'null') : [type];
  const values = options.map((option) => (option.kind === 'literal' ? option.value : undefined));
  return values.every((value) => typeof value === 'string') ? values : [];
}

/** The value `undefined` removes the member. */
export function withValue(value: unknown, [key, ...rest]: readonly (string | number)[], put: unknown): unknown {
  if (key === undefined) return put;
  if (Array.isArray(value)) return value.with(Number(key), withValue(value[Number(key)], rest, put));
  const copy: Record<string, unknown> = { ...(value as Record<string, unknown>) };
  if (rest.length === 0 && put === undefined) delete copy[key];
  else copy[key] = withValue(copy[key], rest, put);
  return copy;
}

function kindsOf(type: Declared): string[] {
  if (type.kind === 'union') return type.options.flatMap(kindsOf);
  if (type.kind === 'literal') return [typeof type.value];
  return [type.kind === 'record' ? 'object' : type.kind];
}

function firstOf(options: readonly Declared[]): Declared {
  const first = options.find(({ kind }) => kind !== 'null');
  if (first === undefined) throw new Error('a union without options');
  return first;
}
