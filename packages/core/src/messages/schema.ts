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

/** One of some known strings, or one that is not known yet. The type names the known ones only, as the published SDK's does. */
export function openEnum<const Known extends readonly [string, ...string[]]>(known: Known): SchemaOf<Known[number]> {
  return z.union([z.enum(known), z.string()]) as unknown as SchemaOf<Known[number]>;
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
  const values = [...(known._zod.propValues?.[key] ?? [])];
  // It aborts, so that the issues of a known value are those of its own schema.
  const unknownValue = z.refine((value) => !values.includes(value as string), { abort: true });
  const other = z.string().check(unknownValue).register(z.globalRegistry, { not: { enum: values } });
  return z.union([known, z.looseObject({ [key]: other })]) as unknown as SchemaOf<z.infer<Options[number]>>;
}
