/** A type from the published declarations, as the inventory lists it, with enough detail to create valid and invalid values. */
export interface DeclaredType {
  readonly sample: unknown;
  /** `unknown` allows all JSON types. */
  readonly kinds: ReadonlySet<string>;
  /** The values, if the type is an enumeration of strings. */
  readonly names: readonly string[];
}

export interface DeclaredMember {
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
}

const TOKEN = /'[^']*'|[A-Za-z_][\w.]*|\d+|[{}[\]()<>|;:?,]/g;
const WRONG: readonly (readonly [kind: string, value: unknown])[] = [
  ['number', 7],
  ['string', 'text'],
  ['boolean', true],
  ['array', []],
  ['object', {}],
];

/** Creates a function that reads types. The caller provides the lookup for the names of other types. */
export class TypeReader {
  readonly #named: (name: string) => DeclaredType;
  #tokens: readonly string[] = [];
  #at = 0;

  constructor(named: (name: string) => DeclaredType) {
    this.#named = named;
  }

  read(type: string): DeclaredType {
    const outer = { tokens: this.#tokens, at: this.#at };
    this.#tokens = type.match(TOKEN) ?? [];
    this.#at = 0;
    const read = this.#union();
    this.#tokens = outer.tokens;
    this.#at = outer.at;
    return read;
  }

  #union(): DeclaredType {
    if (this.#peek() === '|') this.#next();
    const parts = [this.#postfix()];
    while (this.#peek() === '|') {
      this.#next();
      parts.push(this.#postfix());
    }
    const kinds = new Set(parts.flatMap((part) => [...part.kinds]));
    return { sample: parts[0]?.sample, kinds, names: parts.flatMap((part) => part.names) };
  }

  #postfix(): DeclaredType {
    let type = this.#primary();
    while (this.#peek() === '[') {
      this.#at += 2;
      type = only('array', [type.sample]);
    }
    return type;
  }

  #primary(): DeclaredType {
    const token = this.#next();
    if (token.startsWith("'")) return { ...only('string', token.slice(1, -1)), names: [token.slice(1, -1)] };
    switch (token) {
      case 'string':
        return only('string', 'a text');
      case 'number':
        return only('number', 1);
      case 'boolean':
      case 'true':
        return only('boolean', true);
      case 'null':
        return only('null', null);
      case 'unknown':
        return only('unknown', { any: ['thing'] });
      case '(':
        return this.#parenthesised();
      case '{':
        return this.#object();
      case 'Record':
      case 'Partial':
        return this.#record();
      default:
        return this.#named(token.replace('coreTypes.', ''));
    }
  }

  #parenthesised(): DeclaredType {
    const type = this.#union();
    this.#next();
    return type;
  }

  #object(): DeclaredType {
    const sample: Record<string, unknown> = {};
    while (this.#peek() !== '}') {
      const name = this.#next();
      if (this.#peek() === '?') this.#next();
      this.#next();
      sample[name] = this.#union().sample;
      if (this.#peek() === ';') this.#next();
    }
    this.#next();
    return only('object', sample);
  }

  /** A record may have any keys, so an empty object is a valid sample. */
  #record(): DeclaredType {
    let depth = 0;
    do {
      const token = this.#next();
      if (token === '<') depth++;
      if (token === '>') depth--;
    } while (depth > 0);
    return only('object', {});
  }

  #peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  #next(): string {
    return this.#tokens[this.#at++] ?? '';
  }
}

/** Returns `undefined` if all types are allowed. */
export function wrongFor({ kinds }: DeclaredType): unknown {
  return kinds.has('unknown') ? undefined : WRONG.find(([kind]) => !kinds.has(kind))?.[1];
}

function only(kind: string, sample: unknown): DeclaredType {
  return { sample, kinds: new Set([kind]), names: [] };
}
