import type * as z from 'zod/mini';
import { protocol } from '../schemas/open.ts';

type Schema = z.core.$ZodType;

// Longer lists would not help the reader.
const MAX_NAMES = 5;

/**
 * Describes in words what a schema expects at a place in a value, such as `string or array`, with the values of enumerations and the members of
 * objects. For a union, names only the options whose fixed members do not conflict with the value. The text contains no part of the value. Returns
 * `undefined` if the schema does not describe the place.
 */
export function expectedAt(schema: Schema, value: unknown, path: readonly PropertyKey[]): string | undefined {
  const words = [...new Set(at(schema, value, path))];
  return words.length === 0 ? undefined : words.join(' or ');
}

function at(schema: Schema, value: unknown, path: readonly PropertyKey[]): readonly string[] {
  const [name, ...below] = path;
  if (name === undefined) return wordsOf(schema);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const member: unknown = Object(value)[name];
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return at(def.innerType, value, path);
    case 'lazy':
      return at(def.getter(), value, path);
    case 'array':
      return at(def.element, member, below);
    case 'record':
      return at(def.valueType, member, below);
    case 'object': {
      const known = typeof name === 'string' && Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
      return known === undefined ? [] : at(known, member, below);
    }
    case 'union': {
      const kinds = openKindsOf(schema);
      if (kinds?.key === name && below.length === 0) return [`string (${listed(kinds.names)})`];
      return meantOptions(kinds?.options ?? def.options, value).flatMap((option) => at(option, value, path));
    }
    default:
      return [];
  }
}

/** Returns the options of a union whose fixed members do not conflict with the value, or all options if every option conflicts. */
function meantOptions(options: readonly Schema[], value: unknown): readonly Schema[] {
  const meant = options.filter((option) =>
    Object.entries(option._zod.propValues ?? {}).every(([name, values]) => {
      const member: unknown = Object(value)[name];
      return member === undefined || values.has(member as z.core.util.Primitive);
    }),
  );
  return meant.length > 0 ? meant : options;
}

/** Returns the known kinds of a union that also accepts objects of unknown kinds, or `undefined` for any other schema. */
function openKindsOf(
  schema: Schema,
): { readonly key: string; readonly names: readonly string[]; readonly options: readonly Schema[] } | undefined {
  if (protocol.get(schema)?.isOpen !== true) return undefined;
  const [known] = (schema as z.core.$ZodUnion)._zod.def.options;
  const { discriminator: key, options } = (known as z.core.$ZodDiscriminatedUnion)._zod.def;
  return { key, options, names: [...(known?._zod.propValues?.[key] ?? [])].map((name) => JSON.stringify(name)) };
}

function wordsOf(schema: Schema): readonly string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
      return wordsOf(def.innerType);
    case 'nullable':
      return [...wordsOf(def.innerType), 'null'];
    case 'lazy':
      return wordsOf(def.getter());
    case 'string': {
      const known = protocol.get(schema)?.known?.map((text) => JSON.stringify(text));
      return [known === undefined ? 'string' : `string (${listed(known)})`];
    }
    case 'literal':
      return def.values.map((value) => JSON.stringify(value));
    case 'enum':
      return Object.values(def.entries).map((value) => JSON.stringify(value));
    case 'record': {
      const words = [...new Set(wordsOf(def.valueType))].join(' or ');
      return [words === ANYTHING ? 'object' : `object in which each member is ${words}`];
    }
    case 'object':
      return [objectWords(def.shape)];
    case 'union': {
      const kinds = openKindsOf(schema);
      return kinds === undefined
        ? def.options.flatMap((option) => wordsOf(option))
        : [`object with ${kinds.key} (${listed(kinds.names)})`];
    }
    case 'any':
    case 'unknown':
      return [ANYTHING];
    default:
      return [def.type];
  }
}

const ANYTHING = 'a value';

/** Names the required members. If only a few values are allowed for a member, lists these values. */
function objectWords(shape: Readonly<Record<string, Schema>>): string {
  const members = Object.entries(shape).flatMap(([name, member]) => {
    if (member._zod.optin === 'optional') return [];
    const values = [...(member._zod.values ?? [])].map((value) => JSON.stringify(value));
    return [values.length === 0 ? name : `${name} ${values.join(' or ')}`];
  });
  return members.length === 0 ? 'object' : `object with ${listed(members)}`;
}

function listed(names: readonly string[]): string {
  return names.length <= MAX_NAMES ? names.join(', ') : `${[...names].slice(0, MAX_NAMES).join(', ')}, …`;
}
