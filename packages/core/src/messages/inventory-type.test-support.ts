import { type Field, inventory } from './inventory.test-support.ts';

export type Declared =
  | { readonly kind: 'string' | 'number' | 'boolean' | 'null' | 'unknown' }
  | { readonly kind: 'literal'; readonly value: string | true }
  | { readonly kind: 'array' | 'record'; readonly item: Declared }
  | { readonly kind: 'object'; readonly fields: readonly { name: string; type: Declared; optional: boolean }[] }
  | { readonly kind: 'union'; readonly options: readonly Declared[] };

const API_TYPES: Readonly<Record<string, string>> = {
  UUID: 'string',
  BetaMessage: "{ role: 'assistant'; content: ContentBlock[]; }",
  MessageParam: "{ role: 'user'; content: PromptContent; }",
  PromptContent: 'string | ContentBlock[]',
  ContentBlock: "{ type: 'text'; text: string; }",
  BetaRawMessageStreamEvent:
    "{ type: 'content_block_delta'; index: number; delta: { type: 'text_delta'; text: string; }; }",
  NonNullableUsage: '{ input_tokens?: number; output_tokens?: number; }',
};

/** Reads a type in TypeScript syntax that uses the names of the inventory. */
function readType(text: string): Declared {
  const tokens = text.match(/'[^']*'|[\w.]+\??|[{}()[\]|<>,:;]/g) ?? [];
  let next = 0;
  const take = (token: string): boolean => tokens[next] === token && ++next > 0;

  const union = (): Declared => {
    const options = [postfix()];
    while (take('|')) options.push(postfix());
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: 'union', options };
  };
  const postfix = (): Declared => {
    let type = primary();
    while (take('[')) {
      if (take("'content'")) type = readType('PromptContent');
      else type = { kind: 'array', item: type };
      take(']');
    }
    return type;
  };
  const primary = (): Declared => {
    if (take('(')) {
      const inner = union();
      take(')');
      return inner;
    }
    if (take('{')) return members();
    const token = tokens[next++] ?? '';
    if (token.startsWith("'")) return { kind: 'literal', value: token.slice(1, -1) };
    if (token !== 'Record') return named(token);
    for (const part of ['<', 'string', ',']) take(part);
    const item = union();
    take('>');
    return { kind: 'record', item };
  };
  const members = (): Declared => {
    const fields: { name: string; type: Declared; optional: boolean }[] = [];
    while (!take('}')) {
      const token = tokens[next++] ?? '';
      take(':');
      fields.push({ name: token.replace('?', ''), type: union(), optional: token.endsWith('?') });
      take(';');
    }
    return { kind: 'object', fields };
  };
  return union();
}

export function objectOf(fields: readonly Field[]): Declared {
  return { kind: 'object', fields: fields.map((field) => ({ ...field, type: readType(field.type) })) };
}

function named(name: string): Declared {
  if (name === 'string' || name === 'number' || name === 'boolean' || name === 'null' || name === 'unknown') {
    return { kind: name };
  }
  if (name === 'true') return { kind: 'literal', value: true };
  const plain = name.replace('coreTypes.', '');
  const api = API_TYPES[plain];
  if (api !== undefined) return readType(api);
  const values = inventory.enums[plain];
  if (values !== undefined) {
    return {
      kind: 'union',
      options: values.map((value) => (value === null ? { kind: 'null' } : { kind: 'literal', value })),
    };
  }
  const shared = inventory.sharedTypes[plain];
  if (shared === undefined) throw new Error(`${plain} is not in the inventory`);
  const variants = shared.filter((entry): entry is { fields: readonly Field[] } => 'fields' in entry);
  if (variants.length > 0) return { kind: 'union', options: variants.map(({ fields }) => objectOf(fields)) };
  return objectOf(shared as readonly Field[]);
}
