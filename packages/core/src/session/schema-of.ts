import type { Checked } from './control-checks.ts';
import type { Check } from './member-checks.ts';
import type { Schema } from './schema.ts';

/** A check of a control frame, as what a request takes to look at its answer. */
export function schemaOf<T>(check: (value: unknown) => Checked<T>): Schema<T> {
  return {
    safeParse(value) {
      const { value: data, issues } = check(value);
      return issues === undefined ? { success: true, data } : { success: false, error: { issues } };
    },
  };
}

/** The same of a check of members: what it does not look at is what the peer promises. */
export function schemaOfMembers<T>(check: Check): Schema<T> {
  return schemaOf((value) => {
    const issues = check(value, []);
    return issues.length === 0 ? { value: value as T } : { issues };
  });
}
