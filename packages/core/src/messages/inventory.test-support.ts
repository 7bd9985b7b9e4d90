import { readFileSync } from 'node:fs';

/** `type` is in TypeScript syntax. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
}

export interface Shape {
  readonly type: string;
  readonly subtype?: string;
  readonly direction: 'agent->host' | 'host->agent' | 'both';
  readonly sdkTypeName?: string;
  readonly fields: readonly Field[] | null;
}

interface Seen {
  readonly on: string;
  readonly fields: readonly { readonly name: string; readonly jsonKinds: readonly string[] }[];
}

interface Inventory {
  readonly messages: readonly Shape[];
  readonly undeclaredFrames: readonly Shape[];
  readonly sharedTypes: Readonly<Record<string, readonly (Field | { readonly fields: readonly Field[] })[]>>;
  readonly enums: Readonly<Record<string, readonly (string | null)[]>>;
  readonly observed: { readonly undeclaredMessageFields: readonly Seen[] };
}

/** The inventory of the wire format, which is written independently of the schemas. */
export const inventory = JSON.parse(
  readFileSync(new URL('../../testdata/schema-inventory.json', import.meta.url), 'utf8'),
) as Inventory;

/** The shapes without the control frames, which have their own tests. */
export const shapes: readonly Shape[] = [...inventory.messages, ...inventory.undeclaredFrames]
  .filter(({ type }) => !type.startsWith('control_'))
  .map(withDiscriminators);

/** The name that `parseMessage` gives a shape. */
export function nameOf({ type, subtype, sdkTypeName }: Shape): string {
  if (sdkTypeName === 'SDKUserMessageReplay') return 'user/replay';
  return subtype === undefined ? type : `${type}/${subtype}`;
}

/** The members that recordings have on messages of that name and that no declaration lists. */
export function seenOn(name: string): readonly string[] {
  const seen = inventory.observed.undeclaredMessageFields.filter(({ on }) => on === name);
  return seen.flatMap(({ fields }) => fields.map((field) => field.name));
}

// Some shapes of the inventory omit their discriminators, or share one list of fields for several subtypes.
function withDiscriminators(shape: Shape): Shape {
  const fixed = new Set(['type', ...(shape.subtype === undefined ? [] : ['subtype'])]);
  const fields = (shape.fields ?? []).filter(({ name }) => !fixed.has(name));
  const discriminators = [...fixed].map((name) => ({
    name,
    type: `'${name === 'type' ? shape.type : shape.subtype}'`,
    optional: false,
  }));
  return { ...shape, fields: [...discriminators, ...fields] };
}
