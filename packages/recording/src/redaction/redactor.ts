import { encodeLine, parseJson } from '@proto/core/framing';
import { matchesPath, parsePath, type PathPattern } from '../path-pattern.ts';
import { isSecretMember } from './named-values.ts';
import { isSecretVariable, isSecretWithin, type NameWeight, weightOf } from './secret-names.ts';
import { secretSpans } from './secret-patterns.ts';
import type { TextRange } from './key-runs.ts';

/** The text that replaces a secret. */
export const REDACTED = '[redacted]';

// A shorter value could also occur within ordinary words.
const MIN_SECRET_LENGTH = 6;

/** Secrets that cannot be recognised by their form. */
export interface RedactorOptions {
  /** Values that are removed everywhere, including in URL encoding and base64. Values shorter than 6 characters are ignored. */
  readonly secrets?: readonly string[];
  /** An environment. The values of variables with secret names, such as `API_TOKEN`, are removed everywhere. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * The paths of secrets in a message, as names separated by dots, such as `request.**.pin`. `*` matches one name, and `**` matches any number of
   * names.
   */
  readonly paths?: readonly string[];
}

/** A line after its secrets were removed. */
export interface RedactedLine {
  /** The line, with each secret replaced by `REDACTED`. */
  readonly text: string;
  /** The paths at which secrets were removed. The empty path stands for the line itself. */
  readonly redacted: readonly string[];
}

/** Removes secrets from texts. Secrets are found by their form, by the names of members, and by known values. */
export interface Redactor {
  /** Replaces each secret in a text with `REDACTED`. */
  text(text: string): string;
  /** Removes the secrets from one line of the protocol. A line without secrets is returned unchanged. */
  line(line: string): RedactedLine;
  /** The positions of the secrets in a text, in order. */
  spans(text: string): readonly TextRange[];
}

/** Creates a redactor. A redactor cannot find a secret that looks like an ordinary word and belongs to an ordinary name. */
export function createRedactor({ secrets = [], env = {}, paths = [] }: RedactorOptions = {}): Redactor {
  const values = [
    ...secrets,
    ...Object.entries(env).flatMap(([name, value]) => (isSecretVariable(name) ? [value] : [])),
  ];
  const known = [...new Set(values.flatMap(formsOf))];
  const patterns = paths.map(parsePath);

  const cleanNames = new Set<string>();

  const spans = (text: string) => merged([...secretSpans(text), ...known.flatMap((secret) => placesOf(secret, text))]);
  const clean = (text: string) => replaced(text, spans(text));

  return {
    text: clean,
    spans,
    line(line) {
      try {
        return readLine(line);
      } catch {
        // The line is not JSON, or is nested too deeply.
        const text = clean(line);
        return { text, redacted: text === line ? [] : [''] };
      }
    },
  };

  function readLine(line: string): RedactedLine {
    const walk = new RedactedCopy(clean, patterns, cleanNames);
    const text = encodeLine(walk.value(parseJson(line), [])).slice(0, -1);
    // If several members have the same name, parsing keeps only the last of them. The others would remain in the unchanged line.
    const isHidden = text !== line && walk.redacted.length === 0 && spans(line).length > spans(text).length;
    if (isHidden) return { text, redacted: [''] };
    return walk.redacted.length === 0 ? { text: line, redacted: [] } : { text, redacted: walk.redacted };
  }
}

type Cover = NameWeight | 'strings' | 'everything';

// Messages repeat a small number of names, so names that are not secret are remembered.
const MAX_CLEAN_NAMES = 4096;
const SCHEMA_TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

class RedactedCopy {
  readonly redacted: string[] = [];
  readonly #clean: (text: string) => string;
  readonly #patterns: readonly PathPattern[];
  readonly #cleanNames: Set<string>;

  constructor(clean: (text: string) => string, patterns: readonly PathPattern[], cleanNames: Set<string>) {
    this.#clean = clean;
    this.#patterns = patterns;
    this.#cleanNames = cleanNames;
  }

  /** `cover` says which values the enclosing names make secret. Under a secret name, only strings are secret, because numbers are usually counts. */
  value(value: unknown, path: readonly string[], cover: Cover = 'nothing'): unknown {
    const within = this.#patterns.some((pattern) => matchesPath(pattern, path)) ? 'everything' : cover;
    if (Array.isArray(value)) return this.#items(value, path, within);
    if (typeof value === 'object' && value !== null) return this.#members(value, path, within);
    const clean = this.#isCovered(value, within) ? REDACTED : typeof value === 'string' ? this.#clean(value) : value;
    if (clean !== value) this.redacted.push(path.join('.'));
    return clean;
  }

  #isCovered(value: unknown, cover: Cover): boolean {
    if (value === '' || value === null || cover === 'nothing') return false;
    if (cover === 'everything') return true;
    return typeof value === 'string' && (cover === 'strings' || isSecretMember(cover, value));
  }

  /** In a list of arguments, and in a pair, a name precedes its value. */
  #items(list: readonly unknown[], path: readonly string[], cover: Cover): unknown {
    return list.map((item, index) => {
      const before = list[index - 1];
      const isNamed =
        cover === 'nothing' && typeof item === 'string' && typeof before === 'string' && !item.startsWith('-');
      const named = isNamed && (before.startsWith('-') || list.length === 2) && before.length < 80;
      return this.value(item, [...path, String(index)], named ? weightOf(before.replace(/^-+/, '')) : cover);
    });
  }

  #members(value: object, path: readonly string[], cover: Cover): unknown {
    const { type, name: title, key = title } = value as Readonly<Record<string, unknown>>;
    // A JSON schema that describes a secret does not contain the secret.
    const isSchema = typeof type === 'string' && SCHEMA_TYPES.has(type) && cover !== 'everything';
    const above = isSchema ? 'nothing' : cover;
    const container = path.at(-1);
    const members = Object.entries(value).map(([name, member]) => {
      const cleanName = this.#name(name);
      const at = [...path, cleanName];
      if (cleanName !== name) this.redacted.push(at.join('.'));
      return [cleanName, this.value(member, at, above === 'nothing' ? coverOf(container, name, key) : above)];
    });
    return Object.fromEntries(members) as unknown;
  }

  #name(name: string): string {
    if (this.#cleanNames.has(name)) return name;
    const clean = this.#clean(name);
    if (clean !== name || name.length > 80) return clean;
    if (this.#cleanNames.size >= MAX_CLEAN_NAMES) this.#cleanNames.clear();
    this.#cleanNames.add(name);
    return name;
  }
}

/** A value is secret because of the name of its member, or because of the `name` next to a `value`, as in `{"name": "API_KEY", "value": "..."}`. */
function coverOf(container: string | undefined, name: string, key: unknown): Cover {
  if (isSecretWithin(container, name) && container !== name) return 'strings';
  if (name.toLowerCase() === 'value' && typeof key === 'string') return weightOf(key);
  // The signature of a thinking block is part of the protocol, not a secret.
  return name === 'signature' ? 'nothing' : weightOf(name);
}

function formsOf(secret: string | undefined): readonly string[] {
  if (secret === undefined || secret.length < MIN_SECRET_LENGTH) return [];
  const bytes = new TextEncoder().encode(secret);
  return [secret, encodeURIComponent(secret), btoa(String.fromCodePoint(...bytes))];
}

function placesOf(secret: string, text: string): TextRange[] {
  const places: TextRange[] = [];
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length)) {
    places.push([at, at + secret.length]);
  }
  return places;
}

function merged(spans: readonly TextRange[]): readonly TextRange[] {
  const all: [number, number][] = [];
  for (const [start, end] of spans.toSorted(([a], [b]) => a - b)) {
    const last = all.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else all.push([start, end]);
  }
  return all;
}

function replaced(text: string, spans: readonly TextRange[]): string {
  let clean = '';
  let from = 0;
  for (const [start, end] of spans) {
    clean += text.slice(from, start) + REDACTED;
    from = end;
  }
  return clean + text.slice(from);
}
