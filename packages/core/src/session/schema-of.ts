import type { Checked } from './control-checks.ts';
import type { Schema } from './schema.ts';

/** A check of this folder as what a request takes to look at its answer. */
export function schemaOf<T>(check: (value: unknown) => Checked<T>): Schema<T> {
  return {
    safeParse(value) {
      const { value: data, issues } = check(value);
      return issues === undefined ? { success: true, data: data as T } : { success: false, error: { issues } };
    },
  };
}
