import * as z from 'zod/mini';

import { type Infer, isObject, type LazySchema, lazySchema, type SchemaOf } from './schema.ts';

type Table = Readonly<Record<string, LazySchema>>;

/** Any of these schemas. */
export function union<const Options extends readonly LazySchema[]>(
  options: Options,
): LazySchema<SchemaOf<Infer<Options[number]>>> {
  return lazySchema(
    () => z.union(options.map((option) => option())) as unknown as SchemaOf<Infer<Options[number]>>,
    (value) => options.some((option) => option.passes(value)),
  );
}

/** One of some objects, by the value of the member that tells them apart, and nothing else. */
export function closedUnion<const Kinds extends Table>(
  key: string,
  table: Kinds,
): LazySchema<SchemaOf<Infer<Kinds[keyof Kinds]>>> {
  const kinds = new Map<unknown, LazySchema>(Object.entries(table));
  return lazySchema(
    () => discriminated(key, kinds) as unknown as SchemaOf<Infer<Kinds[keyof Kinds]>>,
    (value) => isObject(value) && (kinds.get(value[key])?.passes(value) ?? false),
  );
}

/**
 * One of some objects, by the value of the member that tells them apart; `untold` is the one that may lack the member. A known
 * value must satisfy its own schema; an object with an unknown one passes as it is. The type names the known ones only.
 */
export function openUnion<const Kinds extends Table>(
  key: string,
  table: Kinds,
  untold?: LazySchema,
): LazySchema<SchemaOf<Infer<Kinds[keyof Kinds]>>> {
  const kinds = new Map<unknown, LazySchema>(Object.entries(table));
  if (untold !== undefined) kinds.set(undefined, untold);
  return lazySchema(
    () => buildOpen(key, kinds) as unknown as SchemaOf<Infer<Kinds[keyof Kinds]>>,
    (value) => {
      if (!isObject(value)) return false;
      const kind = value[key];
      const known = kinds.get(kind);
      return known === undefined ? typeof kind === 'string' : known.passes(value);
    },
  );
}

/**
 * A union which asks the one option that a value is for. A plain one reports all that each option misses, in one issue at its own
 * place.
 */
export function chosenUnion<const Options extends readonly LazySchema[]>(
  options: Options,
  choose: (value: unknown) => Options[number],
): LazySchema<SchemaOf<Infer<Options[number]>>> {
  const build = () =>
    unionByChoice(
      () => options.map((option) => option()),
      (value) => choose(value)(),
    );
  return lazySchema(build as unknown as () => SchemaOf<Infer<Options[number]>>, (value) => choose(value).passes(value));
}

function buildOpen(key: string, kinds: ReadonlyMap<unknown, LazySchema>): z.ZodMiniType {
  const unknownKind = z.refine((kind) => !kinds.has(kind));
  const names = { not: { enum: [...kinds.keys()].filter((kind) => typeof kind === 'string') } };
  const rest = z.looseObject({ [key]: z.string().check(unknownKind).register(z.globalRegistry, names) });
  return unionByChoice(
    () => [discriminated(key, kinds), rest],
    (value) => {
      if (typeof value !== 'object' || value === null) return rest;
      return kinds.get((value as Readonly<Record<string, unknown>>)[key])?.() ?? rest;
    },
  );
}

function discriminated(key: string, kinds: ReadonlyMap<unknown, LazySchema>): z.ZodMiniType {
  const [first, ...others] = new Set([...kinds.values()].map((kind) => kind())) as Set<Option>;
  if (first === undefined) throw new TypeError('a union of nothing');
  return z.discriminatedUnion(key, [first, ...others]);
}

type Option = z.ZodMiniType & z.core.$ZodTypeDiscriminable;

/** A union of zod that builds its options when they are asked for: one alone to check a value. */
function unionByChoice(
  options: () => readonly z.ZodMiniType[],
  choose: (value: unknown) => z.ZodMiniType,
): z.ZodMiniUnion {
  const built = z.union([]);
  built._zod.parse = (payload, context) => choose(payload.value)._zod.run(payload, context);
  built._zod.run = built._zod.parse;
  let all: readonly z.ZodMiniType[] | undefined;
  Object.defineProperty(built._zod.def, 'options', { get: () => (all ??= options()), enumerable: true });
  // An object asks these of its members before it checks them, and they would build each option.
  Object.defineProperties(built._zod, { optin: { value: undefined }, optout: { value: undefined } });
  return built;
}
