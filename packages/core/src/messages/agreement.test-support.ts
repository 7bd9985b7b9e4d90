import * as fc from 'fast-check';
import type * as z from 'zod/mini';

/** The part of a zod schema definition that is needed to make values. */
interface Def {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
  readonly element?: z.ZodMiniType;
  readonly valueType?: z.ZodMiniType;
  readonly innerType?: z.ZodMiniType;
  readonly options?: readonly z.ZodMiniType[];
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, unknown>>;
}

const anything = fc.jsonValue({ maxDepth: 1 });

/** Values that a schema accepts, with all, some or no optional members. */
export function valuesOf(schema: z.ZodMiniType): fc.Arbitrary<unknown> {
  const def = (schema as unknown as { readonly _zod: { readonly def: Def } })._zod.def;
  const { shape, element, valueType, innerType, options, values, entries } = def;
  switch (def.type) {
    case 'string':
      return fc.constantFrom('', 'a text', 'other');
    case 'number':
      return fc.integer();
    case 'boolean':
      return fc.boolean();
    case 'literal':
      return fc.constantFrom(...(values ?? []));
    case 'enum':
      return fc.constantFrom(...Object.values(entries ?? {}));
    case 'nullable':
      return fc.option(valuesOf(innerType as z.ZodMiniType));
    case 'optional':
      return valuesOf(innerType as z.ZodMiniType);
    case 'array':
      return fc.array(valuesOf(element as z.ZodMiniType), { maxLength: 2 });
    case 'record':
      return fc.dictionary(fc.constantFrom('a', 'b'), valuesOf(valueType as z.ZodMiniType), { maxKeys: 2 });
    case 'union':
      return fc.oneof(...(options ?? []).map(valuesOf));
    case 'object':
      return objectsOf(shape ?? {});
    default:
      return anything;
  }
}

function objectsOf(shape: Readonly<Record<string, z.ZodMiniType>>): fc.Arbitrary<unknown> {
  const members = Object.entries(shape).map(([name, member]) => {
    const { type } = (member as unknown as { readonly _zod: { readonly def: Def } })._zod.def;
    const made = valuesOf(member).map((value) => [[name, value]] as const);
    return type === 'optional' ? fc.oneof({ arbitrary: fc.constant([]), weight: 2 }, made) : made;
  });
  return fc.tuple(...members).map((all) => Object.fromEntries(all.flat()) as unknown);
}

/** Copies of a value with up to three members deleted, replaced or added. */
export function mutantsOf(value: unknown): fc.Arbitrary<unknown> {
  const change = fc.record({
    at: fc.nat(10_000),
    how: fc.constantFrom('delete', 'replace', 'add'),
    by: fc.oneof(anything, fc.constantFrom('success', 'error', 'allow', 'deny', true, false, null, '', 0, [], {})),
  });
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const copy: unknown = structuredClone(value);
    for (const { at, how, by } of changes) {
      const places = placesIn(copy);
      const place = places[at % Math.max(places.length, 1)];
      if (place === undefined) continue;
      const [owner, key] = place;
      if (how === 'add') Reflect.set(owner, Array.isArray(owner) ? owner.length : 'added', by);
      else if (how === 'replace' || Array.isArray(owner)) Reflect.set(owner, key, by);
      else Reflect.deleteProperty(owner, key);
    }
    return copy;
  });
}

function placesIn(value: unknown): (readonly [owner: object, key: string])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [[value, key] as const, ...placesIn(member)]);
}
