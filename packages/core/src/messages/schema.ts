import * as z from 'zod/mini';

/** A schema of this package, and the type it checks. */
export type SchemaOf<T> = z.ZodMiniType<T>;

/** The type a lazily built schema checks. */
export type Infer<Lazy extends () => z.ZodMiniType> = z.infer<ReturnType<Lazy>>;

/** Builds a schema at its first use: a session needs few of them, and building all costs milliseconds at start. */
export function lazy<S>(build: () => S): () => S {
  let built: S | undefined;
  return () => (built ??= build());
}

/**
 * An object with these members, and any others: peers send members no one has declared, and they must survive. The type names
 * the declared ones only.
 */
export function object<Shape extends z.core.$ZodShape>(shape: Shape): z.ZodMiniObject<Shape, z.core.$strip> {
  return z.looseObject(shape);
}

/** A member that may be absent. Typed as the published types are: absent, not undefined. */
export function optional<Schema extends z.core.SomeType>(schema: Schema): z.ZodMiniExactOptional<Schema> {
  return z.optional(schema) as unknown as z.ZodMiniExactOptional<Schema>;
}

/**
 * A member that the model API writes and the agent only carries: typed as there, but a message without it passes. What this
 * protocol does not say must be there is no reason to withhold a reply.
 */
export function carried<Schema extends z.ZodMiniType>(schema: Schema): Schema {
  const absent = z.optional(schema);
  carriedSchemas.add(absent);
  return absent as unknown as Schema;
}

const carriedSchemas = new WeakSet<z.core.$ZodType>();

/** Whether a schema was made by `carried`: its member is typed as required. */
export function isCarried(schema: z.core.$ZodType): boolean {
  return carriedSchemas.has(schema);
}

/** One of some known strings, or one that is not known yet. The type names the known ones only, as the published SDK's does. */
export function openEnum<const Known extends readonly [string, ...string[]]>(known: Known): SchemaOf<Known[number]> {
  // Annotated rather than a union of the known ones and any string: that would cost a look at each of them, to no end.
  return z.string().register(z.globalRegistry, { anyOf: [{ enum: [...known] }, {}] });
}

type Option = z.ZodMiniType & z.core.$ZodTypeDiscriminable;

/**
 * One of some objects, told apart by a member. A known value must satisfy its own schema; an object with an unknown one passes as
 * it is. The type names the known ones only.
 */
export function openUnion<Key extends string, const Options extends readonly [Option, ...Option[]]>(
  key: Key,
  options: Options,
): SchemaOf<z.infer<Options[number]>> {
  const kinds = options.flatMap((option) =>
    [...(option._zod.propValues[key] ?? [])].map((kind) => [kind, option] as const),
  );
  const build = new Map<unknown, () => Option>(kinds.map(([kind, option]) => [kind, () => option]));
  return openUnionBy(key, build) as unknown as SchemaOf<z.infer<Options[number]>>;
}

/** The same from a table, by the value that tells them apart. A schema is built when the first object of its kind comes. */
export function openUnionOf<Table extends Readonly<Record<string, () => Option>>>(
  key: string,
  table: Table,
): SchemaOf<Infer<Table[keyof Table]>> {
  return openUnionBy(key, new Map(Object.entries(table))) as unknown as SchemaOf<Infer<Table[keyof Table]>>;
}

function openUnionBy(key: string, kinds: ReadonlyMap<unknown, () => Option>): z.ZodMiniUnion {
  const unknownKind = z.refine((kind) => !kinds.has(kind));
  const names = { not: { enum: [...kinds.keys()].filter((kind) => typeof kind === 'string') } };
  const rest = z.looseObject({ [key]: z.string().check(unknownKind).register(z.globalRegistry, names) });
  const options = lazy(() => {
    const [first, ...others] = new Set([...kinds.values()].map((build) => build()));
    if (first === undefined) throw new TypeError('a union of nothing');
    return [z.discriminatedUnion(key, [first, ...others]), rest];
  });
  return unionByChoice(options, (value) => {
    if (typeof value !== 'object' || value === null) return rest;
    return kinds.get((value as Readonly<Record<string, unknown>>)[key])?.() ?? rest;
  });
}

/**
 * A union which asks the one option that a value is for. A plain one reports all that each option misses, in one issue at its own
 * place.
 */
export function chosenUnion<const Options extends readonly z.ZodMiniType[]>(
  options: Options,
  choose: (value: unknown) => Options[number],
): z.ZodMiniUnion<Options> {
  return unionByChoice(() => options, choose) as z.ZodMiniUnion<Options>;
}

function unionByChoice(
  options: () => readonly z.ZodMiniType[],
  choose: (value: unknown) => z.ZodMiniType,
): z.ZodMiniUnion {
  const union = z.union([]);
  choosers.set(union, choose);
  union._zod.parse = (payload, context) => choose(payload.value)._zod.run(payload, context);
  union._zod.run = union._zod.parse;
  Object.defineProperty(union._zod.def, 'options', { get: options, enumerable: true });
  // An object asks these of its members before it checks them, and they would build each option.
  Object.defineProperties(union._zod, { optin: { value: undefined }, optout: { value: undefined } });
  return union;
}

const choosers = new WeakMap<z.core.$ZodType, (value: unknown) => z.core.$ZodType>();

/** How a union made by `chosenUnion` chooses; undefined for any other schema. */
export function chooserOf(schema: z.core.$ZodType): ((value: unknown) => z.core.$ZodType) | undefined {
  return choosers.get(schema);
}
