import * as z from 'zod/mini';

import { chooserOf } from './schema.ts';
import { memberOf } from './member-of.ts';

/** Whether a value satisfies a schema, without saying why not. */
export type Verdict = (value: unknown) => boolean;

const verdicts = new WeakMap<z.core.$ZodType, Verdict>();

/**
 * A compiled check that gives the verdict of the schema. Compiled as they are, unions and maps build a copy of what they check,
 * and repeat the code of each option wherever it occurs: several times the cost. Here each is a check of its own, compiled at its
 * first use. Where code may not be made at run time the schema is interpreted.
 */
export function verdictOf(schema: z.core.$ZodType): Verdict {
  let verdict = verdicts.get(schema);
  if (verdict === undefined) verdicts.set(schema, (verdict = makeVerdict(schema)));
  return verdict;
}

function makeVerdict(schema: z.core.$ZodType): Verdict {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (hasChecks(schema)) return compiledVerdict(schema);
  if (def.type === 'record') return verdictOfRecord(verdictOf(def.valueType));
  if (def.type === 'union') return verdictOfUnion(schema, () => def.options);
  return compiledVerdict(schema);
}

function compiledVerdict(schema: z.core.$ZodType): Verdict {
  let compiled: z.core.$ZodType | undefined;
  return (value) => z.validate((compiled ??= z.compile(withoutValue(schema))), value);
}

function withoutValue(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (hasChecks(schema)) return schema;
  switch (def.type) {
    case 'object':
      return z.looseObject(
        Object.fromEntries(Object.entries(def.shape).map(([name, member]) => [name, withoutValue(member)])),
      );
    case 'optional':
      return z.optional(withoutValue(def.innerType));
    case 'nullable':
      return z.nullable(withoutValue(def.innerType));
    case 'array':
      return z.array(withoutValue(def.element));
    case 'record':
    case 'union':
      return z.custom(verdictOf(schema));
    default:
      return schema;
  }
}

function hasChecks({ _zod: { def } }: z.core.$ZodType): boolean {
  return def.checks !== undefined && def.checks.length > 0;
}

function verdictOfRecord(passes: Verdict): Verdict {
  return (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(passes);
}

function verdictOfUnion(union: z.core.$ZodType, optionsOf: () => readonly z.core.$ZodType[]): Verdict {
  const choose = chooserOf(union);
  if (choose !== undefined) return (value) => verdictOf(choose(value))(value);
  const options = optionsOf();
  const { discriminator: key } = union._zod.def as { readonly discriminator?: string };
  if (key === undefined) {
    const each = options.map(verdictOf);
    return (value) => each.some((passes) => passes(value));
  }
  const byKind = new Map<unknown, Verdict>();
  for (const option of options) {
    for (const kind of option._zod.propValues?.[key] ?? []) byKind.set(kind, verdictOf(option));
  }
  return (value) => byKind.get(memberOf(value, key))?.(value) ?? false;
}
