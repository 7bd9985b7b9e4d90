import { readFileSync } from 'node:fs';
import { type DeclaredMember, type DeclaredType, TypeReader } from './type-reader.test-support.ts';

interface Variant {
  readonly variant: string;
  readonly fields: readonly DeclaredMember[];
}

interface Inventory {
  readonly controlRequests: readonly {
    readonly subtype: string;
    readonly direction: 'host->agent' | 'agent->host' | 'both';
    readonly requestFields: readonly DeclaredMember[];
    readonly responseFields?: readonly (Variant | DeclaredMember)[] | null;
  }[];
  readonly unpublishedControlRequests: readonly {
    readonly subtype: string;
    readonly direction: 'host->agent' | 'agent->host';
    readonly requestFieldsSeen: readonly string[];
  }[];
  readonly hookEvents: readonly {
    readonly name: string;
    readonly inputFields: readonly DeclaredMember[];
    readonly specificOutputType?: string | null;
    readonly specificOutputFields?: readonly DeclaredMember[] | null;
  }[];
  readonly sharedTypes: Readonly<Record<string, readonly (DeclaredMember | Variant)[]>>;
  readonly enums: Readonly<Record<string, readonly string[]>>;
}

const file = new URL('../../../testdata/schema-inventory.json', import.meta.url);

/** The control requests and hooks that the published SDK declares. */
export const inventory = JSON.parse(readFileSync(file, 'utf8')) as Inventory;

// Samples for types that are declared elsewhere, and for unions, where a sample of the first option is enough.
const OTHERS: Readonly<Record<string, unknown>> = {
  JSONRPCMessage: { jsonrpc: '2.0', id: 0, method: 'ping' },
  McpServerConfigForProcessTransport: { command: 'server' },
  McpServerStatusConfig: { type: 'sse', url: 'https://example.com' },
  AgentMcpServerSpec: 'server',
  HookInput: { hook_event_name: 'Unheard', session_id: 's', transcript_path: 't', cwd: 'c' },
};

const reader = new TypeReader(named);

export function declared(type: string): DeclaredType {
  return reader.read(type);
}

export function sampleOf(members: readonly DeclaredMember[]): Record<string, unknown> {
  return Object.fromEntries(members.map(({ name, type }) => [name, declared(type).sample]));
}

/** The forms that an answer may have, each with its members. Empty if no form is declared. */
export function formsOf(fields: readonly (Variant | DeclaredMember)[]): (readonly DeclaredMember[])[] {
  const members: DeclaredMember[] = [];
  const forms: (readonly DeclaredMember[])[] = [];
  for (const field of fields) {
    if ('fields' in field) forms.push(field.fields);
    else members.push(field);
  }
  return members.length > 0 ? [...forms, members] : forms;
}

function named(name: string): DeclaredType {
  const names = inventory.enums[name];
  if (names !== undefined) return { sample: names[0], kinds: new Set(['string']), names };
  const fields = inventory.sharedTypes[name];
  if (fields !== undefined) return { sample: sampleOf(formsOf(fields)[0] ?? []), kinds: new Set(['object']), names: [] };
  const event = inventory.hookEvents.find(({ specificOutputType }) => specificOutputType === name);
  if (event !== undefined) return { sample: { hookEventName: event.name }, kinds: new Set(['object']), names: [] };
  const sample = OTHERS[name];
  if (sample === undefined) throw new Error(`${name} is not in the inventory`);
  // A configuration may also be just the name of a server.
  const kinds = typeof sample === 'string' ? ['string', 'object'] : ['object'];
  return { sample, kinds: new Set(kinds), names: [] };
}
