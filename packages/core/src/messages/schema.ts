import * as z from 'zod/mini';

/** A schema of this package, and the type it checks. */
export type SchemaOf<T> = z.ZodMiniType<T>;

/** Whether a value satisfies a schema, without saying why not. */
export type Verdict = (value: unknown) => boolean;

/**
 * A schema that zod builds when it is called, and its verdict without zod. Most sessions need nothing but verdicts, for which zod
 * takes 7 ms to build the schemas of seven messages, and compiling them takes more. What is wrong with a value zod says.
 */
export interface LazySchema<Built extends z.ZodMiniType = z.ZodMiniType> {
  (): Built;
  readonly passes: Verdict;
  /** Of a member that may be absent: its verdict where it is there. */
  readonly passesIfThere?: Verdict;
  /** As that of zod, which is asked about a value that does not pass; one that does is given back itself. A tenth of the time. */
  safeParse(value: unknown): z.core.util.SafeParseResult<z.infer<Built>>;
}

/** The type a lazily built schema checks. */
export type Infer<Lazy extends () => z.ZodMiniType> = z.infer<ReturnType<Lazy>>;

/** Puts the two halves of a schema together. They have to agree: `verdict.test.ts` asks both about every message. */
export function lazySchema<Built extends z.ZodMiniType>(build: () => Built, passes: Verdict): LazySchema<Built> {
  let built: Built | undefined;
  return withChecks(() => (built ??= build()), passes);
}

/** A schema that is not even described before its first use. */
export function lazy<Built extends z.ZodMiniType>(describe: () => LazySchema<Built>): LazySchema<Built> {
  let described: LazySchema<Built> | undefined;
  return withChecks(
    () => (described ??= describe())(),
    (value) => (described ??= describe()).passes(value),
  );
}

function withChecks<Built extends z.ZodMiniType>(schema: () => Built, passes: Verdict): LazySchema<Built> {
  return Object.assign(schema, {
    passes,
    safeParse: (value: unknown) =>
      passes(value) ? { success: true as const, data: value as z.infer<Built> } : schema().safeParse(value),
  });
}

/** Any text. */
export const string: LazySchema<z.ZodMiniString> = lazySchema(() => z.string(), isString);

/** Any number that JSON can express. */
export const number: LazySchema<z.ZodMiniNumber> = lazySchema(() => z.number(), Number.isFinite);

/** True or false. */
export const boolean: LazySchema<z.ZodMiniBoolean> = lazySchema(
  () => z.boolean(),
  (value) => typeof value === 'boolean',
);

/** Anything at all. */
export const unknown: LazySchema<z.ZodMiniUnknown> = lazySchema(
  () => z.unknown(),
  () => true,
);

/** Text that has a type of its own, and is not looked into. */
export function textOf<T extends string>(): LazySchema<SchemaOf<T>> {
  return lazySchema(() => z.string() as unknown as SchemaOf<T>, isString);
}

/** This value and no other. */
export function literal<const Value extends string | number | boolean>(
  value: Value,
): LazySchema<z.ZodMiniLiteral<Value>> {
  return lazySchema(
    () => z.literal(value),
    (other) => other === value,
  );
}

/** One of these strings and no other. */
export function oneOf<const Values extends readonly [string, ...string[]]>(
  values: Values,
): LazySchema<SchemaOf<Values[number]>> {
  const all = new Set<unknown>(values);
  return lazySchema(
    () => z.enum(values) as unknown as SchemaOf<Values[number]>,
    (value) => all.has(value),
  );
}

/** One of some known strings, or one that is not known yet. The type names the known ones only, as the published SDK's does. */
export function openEnum<const Known extends readonly [string, ...string[]]>(
  known: Known,
): LazySchema<SchemaOf<Known[number]>> {
  // Annotated rather than a union of the known ones and any string: that would cost a look at each of them, to no end.
  const build = () => z.string().register(z.globalRegistry, { anyOf: [{ enum: [...known] }, {}] });
  return lazySchema(build as unknown as () => SchemaOf<Known[number]>, isString);
}

/** Null, or a value of this schema. */
export function nullable<Built extends z.ZodMiniType>(schema: LazySchema<Built>): LazySchema<z.ZodMiniNullable<Built>> {
  return lazySchema(
    () => z.nullable(schema()),
    (value) => value === null || schema.passes(value),
  );
}

/** Elements of this schema. */
export function array<Built extends z.ZodMiniType>(element: LazySchema<Built>): LazySchema<z.ZodMiniArray<Built>> {
  return lazySchema(
    () => z.array(element()),
    (value) => Array.isArray(value) && value.every(element.passes),
  );
}

/** Members of any name, of this schema. */
export function record<Built extends z.ZodMiniType>(
  member: LazySchema<Built>,
): LazySchema<z.ZodMiniRecord<z.ZodMiniString, Built>> {
  return lazySchema(
    () => z.record(z.string(), member()),
    (value) => isObject(value) && Object.values(value).every(member.passes),
  );
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

/** Whether a value is what JSON calls an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
