import { textOf } from './schema.ts';

/** An id made by `randomUUID`. */
export type UUID = `${string}-${string}-${string}-${string}-${string}`;

/** Schema of `UUID`. Any string passes: ids are compared and handed on, and agents other than the published one write their own. */
export const uuid = textOf<UUID>();
