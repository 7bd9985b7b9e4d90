import type { Issue } from '../errors.ts';

/** Anything that can check a value: a schema of zod, or an object made by hand. */
export interface Schema<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T; readonly error?: undefined }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}
