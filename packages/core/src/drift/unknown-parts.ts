import * as z from 'zod/mini';
import { protocol } from '../schemas/open.ts';

/** A part of a known message that its schema does not name. */
export interface UnknownPart {
  readonly kind: 'member' | 'value' | 'kind';
  /** The path of the part. `[]` means any index of an array, and `*` any name in a map. */
  readonly path: string;
  /** The unknown value of an enumeration or of a discriminator. */
  readonly value?: string;
}

/** Lists the parts of a valid value that its schema allows but does not name. */
export function unknownParts(schema: z.core.$ZodType, value: unknown): UnknownPart[] {
  const parts: UnknownPart[] = [];
  walk(schema, value, '', parts);
  return parts;
}

function walk(schema: z.core.$ZodType, value: unknown, path: string, parts: UnknownPart[]): void {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
      if (value !== undefined && value !== null) walk(def.innerType, value, path, parts);
      break;
    case 'lazy':
      walk(def.getter(), value, path, parts);
      break;
    case 'array':
      if (Array.isArray(value)) for (const element of value) walk(def.element, element, `${path}[]`, parts);
      break;
    case 'record':
      for (const [, member] of membersOf(value)) walk(def.valueType, member, below(path, '*'), parts);
      break;
    case 'object':
      for (const [name, member] of membersOf(value)) {
        const known = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
        if (known === undefined) parts.push({ kind: 'member', path: below(path, name) });
        else walk(known, member, below(path, name), parts);
      }
      break;
    case 'string':
      if (typeof value === 'string' && protocol.get(schema)?.known?.includes(value) === false) {
        parts.push({ kind: 'value', path, value });
      }
      break;
    case 'union':
      walkUnion(def.options, value, path, parts);
      break;
    default:
  }
}

function walkUnion(options: readonly z.core.$ZodType[], value: unknown, path: string, parts: UnknownPart[]): void {
  const [first] = options;
  // `instanceof` is not used: a reference to the class as a value would keep all of zod in a bundle.
  const { discriminator: key } = (first?._zod.def ?? {}) as { readonly discriminator?: string };
  if (first !== undefined && key !== undefined) {
    // An open union has two options: the known kinds, and an object for all others.
    const kind = Object.fromEntries(membersOf(value))[key];
    if (first._zod.propValues?.[key]?.has(kind as z.core.util.Primitive) === true) walk(first, value, path, parts);
    else parts.push({ kind: 'kind', path: below(path, key), value: String(kind) });
    return;
  }
  const fitting = options.find((option) => z.safeParse(option, value).success);
  if (fitting !== undefined) walk(fitting, value, path, parts);
}

function membersOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
