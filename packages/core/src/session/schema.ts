import type { Issue } from '../errors.ts';

/**
 * Anything that can check a value: a schema of zod, one of another library that keeps to Standard Schema, version 1 (standardschema.dev),
 * or an object made by hand. Its type is that of what it accepts: the value itself is handed on, not what the schema makes of it.
 */
export type Schema<T> = StandardSchema<T> | SafeParser<T>;

/** What every schema of Standard Schema has. `validate` may take its time, and gives a promise then. */
export interface StandardSchema<T> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | PromiseLike<StandardResult>;
    readonly types?: { readonly input: T } | undefined;
  };
}

/** What a check finds: issues, or none. */
export interface StandardResult {
  readonly issues?:
    | readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[]
    | undefined;
}

/** An object made by hand, and what zod had before there was a standard. */
export interface SafeParser<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data?: Made<T>; readonly error?: undefined }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

/**
 * What a check makes of a value, which nobody looks at. A compiler concludes the type of a schema from it last: one of zod has both
 * forms, and it is the other one that says what the schema accepts.
 */
type Made<T> = NoInfer<T> | (T & {}) | undefined;

/** What is wrong with a value; nothing where it fits. A promise where the schema takes its time. */
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
