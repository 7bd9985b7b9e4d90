import { isCode, isIdentifier, isPlace, isPlaceholder, isRandom, isVersion } from './likely-secret.ts';
import { type NameWeight, weightOf } from './secret-names.ts';
import type { TextRange } from './key-runs.ts';

// A cheap search for possible names. `weightOf` then decides whether each name is the name of a secret.
const WORDS =
  /pass|pwd|secret|token|key|cred|auth|cookie|bearer|mnemonic|connection|connstr|dsn|otp|\bsig|_sig|signature|salt|seed|hash|session|\bsid|jwt|\bcode|webhook|\bpin|_pw|-pw|\bpw|psk|phrase/gi;
const NAME_CHARACTER = /[\w.-]/;
const MAX_NAME_LENGTH = 80;
const MAX_VALUE_LENGTH = 2048;
// The text between a name and its value. Every repetition is bounded, so the cost of each attempt is limited.
const SEPARATORS = {
  assignment: /\\{0,16}["'`]?\]?[ \t]{0,40}(?:\?=|:=|=>|::=|[:=](?!=))[ \t]{0,40}/y,
  annotated: /\??[ \t]{0,8}:[ \t]{0,8}(?:str|string|String|&str|&'static str)[ \t]{0,8}=[ \t]{0,8}/y,
  pair: /\\{0,16}["'][ \t]{0,8},\s{0,40}(?=\\{0,16}["'])/y,
  member:
    /\\{0,16}["']?\s{0,8},?(?:\s{0,40}|\r?\n[ \t+|:→\d-]{0,40})\\{0,16}["']?value\\{0,16}["']?\s{0,8}[:=]\s{0,8}/iy,
  flag: /(?:\\{0,16}["'],?)?\s{1,40}/y,
  element: />/y,
  command: /[ \t]{1,8}/y,
  prose: /[ \t]{1,4}(?:is|was)[ \t]{0,4}:?[ \t]{1,4}/y,
  block: /\\{0,16}["']?[ \t]{0,8}:[ \t]{0,8}(?:[|>][+-]?)?\r?\n[ \t]{1,20}(?=\S{16})/y,
};

type Separator = keyof typeof SEPARATORS;

interface Named {
  readonly weight: NameWeight;
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** Finds the values of variables, members, parameters, flags and elements with secret names in a text. */
export function namedValues(text: string): readonly TextRange[] {
  const spans: TextRange[] = [];
  let from = 0;
  WORDS.lastIndex = 0;
  for (let word = WORDS.exec(text); word !== null; word = WORDS.exec(text)) {
    if (word.index < from) continue;
    const named = nameAt(text, word.index, from);
    from = named.end;
    WORDS.lastIndex = Math.max(named.end, word.index + 1);
    if (named.weight === 'nothing') continue;
    const span = valueOf(text, named);
    if (span === undefined) continue;
    spans.push(span);
    from = Math.max(from, span[1]);
    WORDS.lastIndex = from;
  }
  return spans;
}

function nameAt(text: string, at: number, from: number): Named {
  let start = at;
  let end = at;
  const first = Math.max(from, at - MAX_NAME_LENGTH);
  while (start > first && NAME_CHARACTER.test(text[start - 1] ?? '')) start--;
  const last = Math.min(text.length, at + MAX_NAME_LENGTH);
  while (end < last && NAME_CHARACTER.test(text[end] ?? '')) end++;
  const name = text.slice(start, end);
  const own = name.slice(name.lastIndexOf('.') + 1) || name;
  const bare = own.replace(/^-+/, '').replace(/^D(?=[a-z]+\.)/, '');
  return { name, start, end, weight: weightOf(bare) };
}

function valueOf(text: string, named: Named): TextRange | undefined {
  for (const separator of Object.keys(SEPARATORS) as Separator[]) {
    if (!fits(separator, text, named)) continue;
    const pattern = SEPARATORS[separator];
    pattern.lastIndex = named.end;
    const found = pattern.exec(text);
    if (found === null) continue;
    const value = readValue(text, pattern.lastIndex, separator);
    if (value !== undefined && isSecretValue(value, { text, named, separator, between: found[0] })) return value.span;
  }
  return undefined;
}

function fits(separator: Separator, text: string, { name, start }: Named): boolean {
  if (separator === 'flag') return name.startsWith('-') && !/[\w.]/.test(text[start - 1] ?? '');
  if (separator === 'command') return COMMAND.test(text.slice(Math.max(0, start - 16), start));
  if (separator === 'element') return text[start - 1] === '<' || text[start - 1] === ':';
  if (separator === 'pair') return /["']/.test(text[start - 1] ?? '');
  return true;
}

// Commands that set a variable, in Docker, fish, csh and Windows.
const COMMAND = /(?:^|[\s"'+→-])(?:ENV|ARG|setx|setenv|set -\w{1,4})[ \t]{1,4}$/;

interface Value {
  readonly span: TextRange;
  readonly value: string;
  readonly isQuoted: boolean;
  /** The text after the value. */
  readonly next: string;
}

// oxlint-disable-next-line no-control-regex -- a colour code ends a value
const ORDINARY = /[^\s"'`<>&;,|)\]}\\%\u001B]{1,1024}/y;
const STOP = /[\s"'`<>&;,|)\]}]/;
// oxlint-disable-next-line no-control-regex -- a colour code ends a value
const ESCAPED_STOP = /\\{1,16}(?:[nrt"'`]|u00|x1b|033|e\[)|%(?:0[AaDd9]|2[026]|22|3[Bb])|&(?:amp|quot|lt|gt);|\x1B/y;

function readValue(text: string, at: number, separator: Separator): Value | undefined {
  const open = /(\\{0,64})(["'`])/y;
  open.lastIndex = at;
  const quote = open.exec(text);
  if (quote !== null) return quotedValue(text, at + quote[0].length, (quote[1] ?? '').length, quote[2] ?? '"');
  const isUrlLike = separator === 'assignment' && /[?&]/.test(text[at - 1] ?? '');
  const limit = Math.min(text.length, at + MAX_VALUE_LENGTH);
  let end = at;
  while (end < limit) {
    ORDINARY.lastIndex = end;
    ORDINARY.test(text);
    end = Math.max(end, ORDINARY.lastIndex);
    if (end >= limit) break;
    const character = text[end] ?? '';
    if (character === '\\' || character === '%' || character === '\u001B' || character === '&') {
      ESCAPED_STOP.lastIndex = end;
      if (ESCAPED_STOP.test(text)) break;
    }
    if (STOP.test(character) && !(isWithinWord(character) && !isUrlLike && isValueCharacter(text[end + 1]))) break;
    end++;
  }
  while (end > at && text[end - 1] === '\\') end--;
  return end === at
    ? undefined
    : { span: [at, end], value: text.slice(at, end), isQuoted: false, next: text.slice(end, end + 8) };
}

/** Whether a character may end a value, but is part of the value if more of the value follows. */
function isWithinWord(character: string): boolean {
  return character === '|' || character === '<' || character === '>';
}

function isValueCharacter(character: string | undefined): boolean {
  return character !== undefined && /[A-Za-z0-9!#$%^*]/.test(character);
}

function quotedValue(text: string, at: number, depth: number, quote: string): Value {
  const limit = Math.min(text.length, at + MAX_VALUE_LENGTH);
  let slashes = 0;
  let end = at;
  for (; end < limit; end++) {
    const character = text[end];
    if (character === '\n') break;
    if (character === '\\') {
      slashes++;
      continue;
    }
    if (character === quote && slashes <= depth) break;
    slashes = 0;
  }
  const isClosed = text[end] === quote;
  const last = isClosed ? end - depth : end;
  return { span: [at, last], value: text.slice(at, last), isQuoted: true, next: text.slice(end + 1, end + 8) };
}

interface Place {
  readonly text: string;
  readonly named: Named;
  readonly separator: Separator;
  readonly between: string;
}

function isSecretValue({ value, isQuoted, next }: Value, place: Place): boolean {
  const { separator, between, named } = place;
  if (value.length < 3 || isPlaceholder(value) || isVersion(value) || value.includes('[redacted]')) return false;
  if (separator === 'prose') return isRandom(value.replace(/[.,:;!?]+$/, ''));
  if (named.weight === 'maybe') return isLikely(value) && (isQuoted || !isCode(value));
  if (separator === 'flag') return !value.startsWith('-') && !isPlace(value) && (isQuoted || !/^[A-Z_]+$/.test(value));
  if (separator === 'pair')
    return (
      isQuoted && !/\s/.test(value) && !isPlace(value) && (/\d/.test(value) || value.length >= 16) && !isWords(value)
    );
  if (isPlace(value) && !/:[^/\s]*@|[?&;]/.test(value)) return false;
  if (isQuoted) return !isProse(value) && !/^[\s,:)}\]]*$/.test(value);
  if (/^[{[(]/.test(value) || isCode(value + next)) return false;
  if (between.includes('=>')) return false;
  return isUnquotedSecret(value, next, place);
}

/** Programs also assign variable names and types without quotes. */
function isUnquotedSecret(value: string, next: string, { text, named, between }: Place): boolean {
  if (/^[^A-Za-z0-9]+$/.test(value) && value.length < 8) return false;
  // A count or a version number.
  if (/^-?\d{1,6}(?:[.]\d+)*[kKmM]?$/.test(value)) return /pass|pin|pwd/i.test(named.name) && value.length >= 4;
  if (isWithoutBlanks(between) && !/^\s*[.(]/.test(next))
    return !isWords(value) || isVariable(text, named) || isParameter(text, named);
  if (!isWords(value)) return !/^[A-Za-z_$][\w$]*$/.test(value) || isRandom(value, 8) || /\d/.test(value);
  // A line of a configuration: the name at the beginning of the line, and one lower-case word in the rest of the line.
  return (
    value.length >= 8 &&
    /pass/i.test(named.name) &&
    /^[a-z][A-Za-z]+$/.test(value) &&
    !/pass|secret|token|user|new|hash|value|input|field/i.test(value) &&
    /^(?:[\r\n]|$)/.test(next) &&
    /(?:^|\n)[ \t-]*["']?$/.test(text.slice(Math.max(0, named.start - 40), named.start))
  );
}

function isWithoutBlanks(between: string): boolean {
  return between === '=' || between === '="' || between === "='";
}

function isVariable(text: string, { name, start }: Named): boolean {
  return (
    /^[A-Z][A-Z0-9_]*$/.test(name) ||
    /export\s+$/.test(text.slice(Math.max(0, start - 8), start)) ||
    name.startsWith('-') ||
    name.startsWith('_')
  );
}

function isParameter(text: string, { start }: Named): boolean {
  return /[?&;]/.test(text[start - 1] ?? '');
}

function isWords(value: string): boolean {
  return /^[A-Za-z_$-]+[!?.:]?$/.test(value) && !isRandom(value, 10);
}

function isProse(value: string): boolean {
  return (
    /\s/.test(value) &&
    (/\b(?:password|token|secret key|api key|required|enter|invalid|must|your|credentials?|please|forgot)\b/i.test(
      value,
    ) ||
      /^[A-Z][a-z]+(?: [a-z]+)+[.!?:]?$/.test(value))
  );
}

function isLikely(value: string): boolean {
  const bare = value.replace(/[.,:;!?]+$/, '');
  return !isIdentifier(bare) && !isPlace(bare) && !/\s/.test(bare) && isRandom(bare);
}

/** Whether the string value of a member with a secret name is a secret. */
export function isSecretMember(weight: NameWeight, value: string): boolean {
  if (weight === 'nothing' || value === '' || isPlaceholder(value)) return false;
  if (weight === 'maybe') return isLikely(value);
  return !isProse(value) && !(isPlace(value) && !/:[^/\s]*@|[?&;]/.test(value));
}
