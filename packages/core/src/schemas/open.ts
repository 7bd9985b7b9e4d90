import * as z from 'zod/mini';

/** What a schema declares in addition to its shape. */
export interface About {
  /** The name of the generated type. */
  readonly id?: string;
  /** The sentence that describes the schema in the type, in the JSON Schema and in docs/wire.md. */
  readonly description?: string;
  /** The known values of a schema that accepts any string. */
  readonly known?: readonly string[];
  /** Set on a union that also accepts objects of unknown kinds. */
  readonly isOpen?: true;
  /** Set on a member that may be absent, but whose type says that it is always present. */
  readonly isCarried?: true;
  /** The text of the generated type, if it differs from the type that the schema infers. */
  readonly type?: string;
}

/**
 * The registry of descriptions. This registry is separate from zod's global registry, in which names of this package could collide with names of
 * programs that use these schemas.
 */
export const protocol = z.registry<About>();

/**
 * A schema for a string that may be one of the known values or any other string. The type lists only the known values, like the type of the published
 * SDK.
 */
export function openEnum<const Known extends readonly string[]>(known: Known, about: About = {}) {
  return z.string().register(protocol, { ...about, known }) as unknown as z.ZodMiniType<Known[number]>;
}

/** A schema for an object that must have the given members. Further members are allowed, and are kept. */
export const openObject: typeof z.looseObject = (members) => z.looseObject(members);

/**
 * A schema for several kinds of objects, which are distinguished by the value of the member `key`. An object with a known value must satisfy the
 * schema of its kind. An object with an unknown value is accepted unchanged. The type lists only the known kinds.
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
 * A member that the model API writes and the agent only passes on. The type says that the member is always present, but a message without the member
 * is accepted. A reply must not be lost because of a member that this protocol does not require.
 */
export function carried<Schema extends z.ZodMiniType>(schema: Schema) {
  const member = z.optional(schema);
  protocol.add(member, { isCarried: true });
  return member;
}

/** Creates the schema of the body of a control request, which contains its subtype and the given members. */
export function requestOf<const Subtype extends string, Members extends z.core.$ZodShape>(subtype: Subtype, members: Members) {
  return openObject({ subtype: z.literal(subtype), ...members });
}
