import * as z from 'zod/mini';

import { isObject, type LazySchema, lazySchema, string, type Verdict } from './schema.ts';

/** The members that an object declares. */
export type Members = Readonly<Record<string, LazySchema>>;

/** What zod makes of them. */
export type ObjectOf<Declared extends Members> = z.ZodMiniObject<
  { readonly [Name in keyof Declared]: ReturnType<Declared[Name]> },
  z.core.$strip
>;

/**
 * An object with these members, and any others: peers send members no one has declared, and they must survive. The type names
 * the declared ones only.
 */
export function object<Declared extends Members>(members: Declared): LazySchema<ObjectOf<Declared>> {
  const declared = new Map(Object.entries(members).map(([name, member]) => [name, checkOf(member)]));
  const required = [...declared.values()].filter((member) => member.required).length;
  const build = () => {
    const built = Object.entries(members).map(([name, member]) => [name, member()] as const);
    return z.looseObject(Object.fromEntries(built)) as unknown as ObjectOf<Declared>;
  };
  return lazySchema(build, (value) => {
    if (!isObject(value)) return false;
    let missing = required;
    // By what is there: most of what is declared is not.
    for (const name in value) {
      const member = declared.get(name);
      if (member === undefined) continue;
      const given = value[name];
      if (member.required) missing--;
      else if (given === undefined) continue;
      // Most members are text: not to call for those takes a tenth less.
      if (member.passes === string.passes ? typeof given !== 'string' : !member.passes(given)) return false;
    }
    return missing === 0;
  });
}

function checkOf({ passes, passesIfThere }: LazySchema): { readonly passes: Verdict; readonly required: boolean } {
  return { passes: passesIfThere ?? passes, required: passesIfThere === undefined };
}

/** A member that may be absent. Typed as the published types are: absent, not undefined. */
export function optional<Built extends z.ZodMiniType>(
  schema: LazySchema<Built>,
): LazySchema<z.ZodMiniExactOptional<Built>> {
  return absent(schema, () => z.optional(schema()) as unknown as z.ZodMiniExactOptional<Built>);
}

/**
 * A member that the model API writes and the agent only carries: typed as there, but a message without it passes. What this
 * protocol does not say must be there is no reason to withhold a reply.
 */
export function carried<Built extends z.ZodMiniType>(schema: LazySchema<Built>): LazySchema<Built> {
  return absent(schema, () => {
    const built = z.optional(schema());
    carriedSchemas.add(built);
    return built as unknown as Built;
  });
}

function absent<Built extends z.ZodMiniType>({ passes }: LazySchema, build: () => Built): LazySchema<Built> {
  const schema = lazySchema(build, (value) => value === undefined || passes(value));
  return Object.assign(schema, { passesIfThere: passes });
}

const carriedSchemas = new WeakSet<z.core.$ZodType>();

/** Whether a schema was made by `carried`: its member is typed as required. */
export function isCarried(schema: z.core.$ZodType): boolean {
  return carriedSchemas.has(schema);
}
