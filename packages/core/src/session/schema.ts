import type { Issue } from '../errors.ts';

/**
 * Anything that can check a value: a zod schema, a schema of another library that follows Standard Schema, version 1 (standardschema.dev), or an
 * object with a `safeParse` method. `T` is the type that the schema accepts, because the value itself is passed on, and not the output of the schema.
 */
export type Schema<T> = StandardSchema<T> | SafeParser<T>;

/** The part of a schema that Standard Schema defines. `validate` may return a promise. */
export interface StandardSchema<T> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | PromiseLike<StandardResult>;
    readonly types?: { readonly input: T } | undefined;
  };
}

/** The result of a check, which contains issues if the value is not valid. */
export interface StandardResult {
  readonly issues?:
    | readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[]
    | undefined;
}

/** An object with a `safeParse` method. Zod schemas also have this method. */
export interface SafeParser<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data?: Made<T>; readonly error?: undefined }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

/**
 * What a check returns. Zod ignores it. The compiler infers the type of a schema from this member last. A zod schema has both forms, and the
 * other form, `StandardSchema`, provides the type that the schema accepts.
 */
type Made<T> = NoInfer<T> | (T & {}) | undefined;

/** Returns `undefined` for a valid value. For an asynchronous schema, returns a promise. */
export function issuesBy(
  schema: Schema<unknown>,
  value: unknown,
): readonly Issue[] | undefined | Promise<readonly Issue[] | undefined> {
  if (!('~standard' in schema)) {
    const checked = schema.safeParse(value);
    return checked.success ? undefined : checked.error.issues;
  }
  const result = schema['~standard'].validate(value);
  return 'then' in result ? Promise.resolve(result).then(issuesOf) : issuesOf(result);
}

function issuesOf({ issues }: StandardResult): readonly Issue[] | undefined {
  return issues?.map(({ path = [], message }) => ({
    path: path.map((place) => (typeof place === 'object' ? place.key : place)),
    message,
  }));
}
