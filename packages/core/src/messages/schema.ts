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
  return z.looseObject(shape) as unknown as z.ZodMiniObject<Shape, z.core.$strip>;
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
  return z.optional(schema) as unknown as Schema;
}

/** One of some known strings, or one that is not known yet. The type names the known ones only, as the published SDK's does. */
export function openEnum<const Known extends readonly [string, ...string[]]>(known: Known): SchemaOf<Known[number]> {
  // Annotated rather than a union of the known ones and any string: that would cost a look at each of them, to no end.
  return z.string().register(z.globalRegistry, { anyOf: [{ enum: [...known] }, {}] }) as unknown as SchemaOf<
    Known[number]
  >;
}

/**
 * One of some objects, told apart by a member. A known value must satisfy its own schema; an object with an unknown one passes as
 * it is. The type names the known ones only.
 */
export function openUnion<
  Key extends string,
  const Options extends readonly [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]],
>(key: Key, options: Options): SchemaOf<z.infer<Options[number]>> {
  const known = z.discriminatedUnion(key, options);
  const values = new Set<unknown>(known._zod.propValues?.[key]);
  const names = [...values].filter((value) => typeof value === 'string');
  const unknownValue = z.refine((value) => !values.has(value));
  const rest = z.looseObject({
    [key]: z
      .string()
      .check(unknownValue)
      .register(z.globalRegistry, { not: { enum: names } }),
  });
  const isKnown = (value: unknown) =>
    typeof value === 'object' && value !== null && values.has((value as Record<string, unknown>)[key]);
  return chosenUnion([known, rest], (value) => (isKnown(value) ? known : rest)) as unknown as SchemaOf<
    z.infer<Options[number]>
  >;
}

/** The open union of all objects in a table. */
export function openUnionOf<Table extends Readonly<Record<string, () => z.ZodMiniType & z.core.$ZodTypeDiscriminable>>>(
  key: string,
  table: Table,
): SchemaOf<Infer<Table[keyof Table]>> {
  const [first, ...others] = Object.values(table).map((build) => build());
  if (first === undefined) throw new TypeError('a union of nothing');
  return openUnion(key, [first, ...others]) as unknown as SchemaOf<Infer<Table[keyof Table]>>;
}

/**
 * A union which asks the one option that a value is for. A plain one reports all that each option misses, in one issue at its own
 * place.
 */
export function chosenUnion<const Options extends readonly z.ZodMiniType[]>(
  options: Options,
  choose: (value: unknown) => Options[number],
): z.ZodMiniUnion<Options> {
  const union = z.union(options);
  choosers.set(union, choose);
  union._zod.parse = (payload, context) => choose(payload.value)._zod.run(payload, context);
  union._zod.run = union._zod.parse;
  return union;
}

const choosers = new WeakMap<z.core.$ZodType, (value: unknown) => z.core.$ZodType>();

/** How a union made by `chosenUnion` chooses; undefined for any other schema. */
export function chooserOf(schema: z.core.$ZodType): ((value: unknown) => z.core.$ZodType) | undefined {
  return choosers.get(schema);
}
