import { encodeLine } from '@proto/core/framing';
import { isSecretName, isSecretVariable, isSecretWithin, secretSpans, type Span } from './secret-patterns.ts';

/** What stands in the place of something secret. */
export const REDACTED = '[redacted]';

// A shorter one would be found in words that have nothing to do with it.
const MIN_SECRET_LENGTH = 6;

/** What is secret beside what looks like it. */
export interface RedactorOptions {
  /** Values that are secret wherever they stand, also encoded for URLs or in base64; those below 6 characters are not looked for. */
  readonly secrets?: readonly string[];
  /** An environment: the values of variables whose names say so are secret wherever they stand. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Places of secrets in a message: names separated by dots, `*` for any one, `**` for any number, as in `request.**.pin`. */
  readonly paths?: readonly string[];
}

/** A line without its secrets. */
export interface RedactedLine {
  readonly text: string;
  /** The places where something was taken out, as paths; the empty path is the line itself. */
  readonly redacted: readonly string[];
}

/** Takes secrets out of what is written down: by their shape, by the names they go under, and by their values. */
export interface Redactor {
  /** A text with `REDACTED` in the place of each secret. */
  text(text: string): string;
  /** One line of the wire; untouched, to the letter, where nothing in it is secret. */
  line(line: string): RedactedLine;
  /** Where in a text the secrets are, in order. */
  spans(text: string): readonly Span[];
}

/** Makes a redactor. It finds what is known to it: a secret that looks like any other word, under a name that says nothing, it does not. */
export function createRedactor({ secrets = [], env = {}, paths = [] }: RedactorOptions = {}): Redactor {
  const values = [
    ...secrets,
    ...Object.entries(env).flatMap(([name, value]) => (isSecretVariable(name) ? [value] : [])),
  ];
  const known = [...new Set(values.flatMap(formsOf))];
  const patterns = paths.map(parsePath);

  const spans = (text: string) => merged([...secretSpans(text), ...known.flatMap((secret) => placesOf(secret, text))]);
  const clean = (text: string) => replaced(text, spans(text));

  return {
    text: clean,
    spans,
    line(line) {
      try {
        return readLine(line);
      } catch {
        // No JSON, or too deep to be walked through.
        const text = clean(line);
        return { text, redacted: text === line ? [] : [''] };
      }
    },
  };

  function readLine(line: string): RedactedLine {
    const walk = new Walk(clean, patterns);
    const text = encodeLine(walk.value(JSON.parse(line), [])).slice(0, -1);
    // Of members of one name only the last is there when it is read, and what the others held would stay in the line.
    const isHidden = text !== line && walk.redacted.length === 0 && spans(line).length > spans(text).length;
    if (isHidden) return { text, redacted: [''] };
    return walk.redacted.length === 0 ? { text: line, redacted: [] } : { text, redacted: walk.redacted };
  }
}

type Cover = 'nothing' | 'strings' | 'everything';

/** One pass through a message, which gives a copy without secrets. */
class Walk {
  readonly redacted: string[] = [];
  readonly #clean: (text: string) => string;
  readonly #patterns: readonly PathPattern[];

  constructor(clean: (text: string) => string, patterns: readonly PathPattern[]) {
    this.#clean = clean;
    this.#patterns = patterns;
  }

  /** `cover` is what the names above have come to: of what goes under a secret name only strings are secret, numbers count something. */
  value(value: unknown, path: readonly string[], cover: Cover = 'nothing'): unknown {
    const within = this.#patterns.some((pattern) => matchesPath(pattern, path)) ? 'everything' : cover;
    if (Array.isArray(value)) return value.map((item, index) => this.value(item, [...path, String(index)], within));
    if (typeof value === 'object' && value !== null) {
      const members = Object.entries(value).map(([name, member]) => {
        const isSecret = isSecretName(name) || isSecretWithin(path.at(-1), name);
        const cleanName = this.#clean(name);
        const at = [...path, cleanName];
        if (cleanName !== name) this.redacted.push(at.join('.'));
        return [cleanName, this.value(member, at, isSecret && within === 'nothing' ? 'strings' : within)];
      });
      return Object.fromEntries(members) as unknown;
    }
    const isCovered = within === 'everything' ? value !== null : within === 'strings' && typeof value === 'string';
    const clean = isCovered && value !== '' ? REDACTED : typeof value === 'string' ? this.#clean(value) : value;
    if (clean !== value) this.redacted.push(path.join('.'));
    return clean;
  }
}

function formsOf(secret: string | undefined): readonly string[] {
  if (secret === undefined || secret.length < MIN_SECRET_LENGTH) return [];
  const bytes = new TextEncoder().encode(secret);
  return [secret, encodeURIComponent(secret), btoa(String.fromCodePoint(...bytes))];
}

function placesOf(secret: string, text: string): Span[] {
  const places: Span[] = [];
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length)) {
    places.push([at, at + secret.length]);
  }
  return places;
}

function merged(spans: readonly Span[]): readonly Span[] {
  const all: [number, number][] = [];
  for (const [start, end] of spans.toSorted(([a], [b]) => a - b)) {
    const last = all.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else all.push([start, end]);
  }
  return all;
}

/** A text with something else in the place of each span. */
function replaced(text: string, spans: readonly Span[]): string {
  let clean = '';
  let from = 0;
  for (const [start, end] of spans) {
    clean += text.slice(from, start) + REDACTED;
    from = end;
  }
  return clean + text.slice(from);
}

/** A path with places left open, by segment. */
type PathPattern = readonly string[];

/** Reads `a.*.b`; a leading `$.` may stand before it. */
function parsePath(text: string): PathPattern {
  return text.replace(/^\$\.?/, '').split('.');
}

/** Whether a path is one of those. `*` is any one segment, `**` any number of them, none included. */
function matchesPath(pattern: PathPattern, path: readonly string[]): boolean {
  const [first, ...others] = pattern;
  if (first === undefined) return path.length === 0;
  if (first === '**') return matchesPath(others, path) || (path.length > 0 && matchesPath(pattern, path.slice(1)));
  return path.length > 0 && (first === '*' || first === path[0]) && matchesPath(others, path.slice(1));
}
