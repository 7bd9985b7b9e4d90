import * as z from 'zod/mini';

/** What a schema declares in addition to its shape. */
export interface About {
  /** The name of the generated type. */
  readonly id?: string;
  /** The sentence that describes the schema in the type, in the JSON Schema and in docs/wire.md. */
  readonly description?: string;
  /** The known texts of a schema that takes any text. */
  readonly known?: readonly string[];
  /** Set on a union that also accepts objects of unknown kinds. */
  readonly isOpen?: true;
  /** Set on a member that may be absent, and is typed as if it were always there. */
  readonly isCarried?: true;
  /** The text of the type, if it differs from the type of the schema. */
  readonly type?: string;
}

/** The registry of descriptions. Not the global registry of zod: there the names of this package would collide with the names of programs that build on these schemas. */
export const protocol = z.registry<About>();

/** A text that is one of the known texts, or unknown. The type names only the known texts, like the type of the published SDK. */
export function openEnum<const Known extends readonly string[]>(known: Known, about: About = {}) {
  return z.string().register(protocol, { ...about, known }) as unknown as z.ZodMiniType<Known[number]>;
}

/** An object with the given members and any others: undeclared members pass, and are kept. */
export const openObject: typeof z.looseObject = (members) => z.looseObject(members);

/**
 * One of several kinds of objects, distinguished by the value of the member `key`. An object with a known value must satisfy the schema of that
 * kind; an object with an unknown value passes unchanged. The type names only the known kinds.
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
 * A member that the model API writes and the agent only passes on. It is typed as if it were always there, but a message without it passes: a
 * reply is not withheld for a member that this protocol does not require.
 */
export function carried<Schema extends z.ZodMiniType>(schema: Schema) {
  const member = z.optional(schema);
  protocol.add(member, { isCarried: true });
  return member;
}

/** The body of a control request: its subtype, and the given members. */
export function requestOf<const Subtype extends string, Members extends z.core.$ZodShape>(subtype: Subtype, members: Members) {
  return openObject({ subtype: z.literal(subtype), ...members });
}
