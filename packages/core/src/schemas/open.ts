import * as z from 'zod/mini';

/** What the wire knows of a schema beside its shape. */
export interface About {
  /** The name of its type. */
  readonly id?: string;
  /** A sentence for whoever reads the type, the JSON Schema, or the page of the wire. */
  readonly description?: string;
  /** The texts that are known, of one that takes any. */
  readonly known?: readonly string[];
  /** An object of any other kind passes too. */
  readonly isOpen?: true;
  /** Its member may be absent, but is typed as if it never were. */
  readonly isCarried?: true;
  /** Its type, where that is not the one of the schema. */
  readonly type?: string;
}

/** Where schemas are described. Not zod's global registry: names of ours would meet there with those of programs that build on these schemas. */
export const protocol = z.registry<About>();

/** One of some known texts, or one that is not known yet. The type names the known ones only, as the published SDK's does. */
export function openEnum<const Known extends readonly string[]>(known: Known, about: About = {}) {
  return z.string().register(protocol, { ...about, known }) as unknown as z.ZodMiniType<Known[number]>;
}

/** An object with these members, and any others: what nobody has declared yet passes, and is kept. */
export const openObject: typeof z.looseObject = (members) => z.looseObject(members);

/**
 * One of some objects, by the value of the member that tells them apart. A known value must satisfy its own schema; an object with an
 * unknown one passes as it is. The type names the known ones only.
 */
export function openUnion<const Kinds extends readonly Kind[]>(key: string, kinds: Kinds, about: About = {}) {
  const known = z.discriminatedUnion(key, kinds as unknown as [Kind, ...Kind[]]);
  const values = known._zod.propValues?.[key];
  const others = z.string().check(z.refine((value) => values?.has(value) !== true, { abort: true }));
  const open = z.union([known, z.looseObject({ [key]: others })]).register(protocol, { ...about, isOpen: true });
  return open as unknown as z.ZodMiniType<z.infer<Kinds[number]>>;
}

type Kind = z.ZodMiniType & z.core.$ZodTypeDiscriminable;

/**
 * A member that the model API writes and the agent only carries: typed as there, but a message without it passes. What this protocol
 * does not say must be there is no reason to withhold a reply.
 */
export function carried<Schema extends z.ZodMiniType>(schema: Schema) {
  const member = z.optional(schema);
  protocol.add(member, { isCarried: true });
  return member;
}

/** The body of a request: its subtype, and these members. */
export function requestOf<const Subtype extends string, Members extends z.core.$ZodShape>(subtype: Subtype, members: Members) {
  return openObject({ subtype: z.literal(subtype), ...members });
}
