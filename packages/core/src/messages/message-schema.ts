import { anyControlRequest, controlRequestSchemas } from './control-request-schema.ts';
import type { Direction } from './direction.ts';
import { messagesFromAgent } from './from-agent.ts';
import { messagesFromHost } from './from-host.ts';
import type { LazySchema, SchemaOf } from './schema.ts';
import { memberOf } from './member-of.ts';

/** What a message is called, and its schema if it is known. */
export interface Lookup {
  /** `type` or `type/subtype`. */
  readonly name: string;
  readonly schema?: LazySchema<SchemaOf<unknown>>;
  /** The schema knows no more than the envelope: what passes it is of an unknown kind. */
  readonly envelopeOnly?: true;
  /** The message has no subtype, and its type wants one. */
  readonly subtypeMissing?: true;
}

interface KnownType {
  /** For a type without subtypes. */
  itself?: Lookup;
  /** For the echo of such a message. */
  replay?: Lookup;
  readonly bySubtype: Map<string, Lookup>;
}

type Table = Readonly<Record<string, LazySchema<SchemaOf<unknown>>>>;

const tables: Readonly<Record<Direction, () => ReadonlyMap<string, KnownType>>> = {
  'from-agent': knownTypes('from-agent', messagesFromAgent),
  'from-host': knownTypes('from-host', messagesFromHost),
};

/** Finds the schema for a message by its discriminators, and nothing else. */
export function lookUp(
  message: Readonly<Record<string, unknown>> & { readonly type: string },
  direction: Direction,
): Lookup {
  const { type } = message;
  const known = tables[direction]().get(type);
  if (type === 'control_request') {
    const asked = requested(message);
    return known?.bySubtype.get(asked) ?? unknownRequest(asked);
  }
  if (known?.itself !== undefined) {
    const { isReplay } = message;
    return isReplay === undefined || isReplay === false ? known.itself : (known.replay ?? known.itself);
  }
  const { subtype } = message;
  if (typeof subtype === 'string') return known?.bySubtype.get(subtype) ?? { name: `${type}/${subtype}` };
  return known === undefined ? { name: type } : { name: type, subtypeMissing: true };
}

/** The table by type and subtype: names are not put together for each message. */
function knownTypes(direction: Direction, table: Table): () => ReadonlyMap<string, KnownType> {
  let types: Map<string, KnownType> | undefined;
  return () => {
    if (types !== undefined) return types;
    types = new Map();
    for (const [name, schema] of [...Object.entries(table), ...controlRequestSchemas(direction)]) {
      const [type = '', subtype] = name.split('/');
      const entry: KnownType = types.get(type) ?? { bySubtype: new Map() };
      types.set(type, entry);
      const lookup = { name, schema };
      if (subtype === undefined) entry.itself = lookup;
      else if (subtype === 'replay') entry.replay = lookup;
      else entry.bySubtype.set(subtype, lookup);
    }
    return types;
  };
}

function requested({ request }: Readonly<Record<string, unknown>>): string {
  const subtype = memberOf(request, 'subtype');
  return typeof subtype === 'string' ? subtype : '';
}

function unknownRequest(subtype: string): Lookup {
  const name = subtype === '' ? 'control_request' : `control_request/${subtype}`;
  return { name, schema: anyControlRequest, envelopeOnly: true };
}
