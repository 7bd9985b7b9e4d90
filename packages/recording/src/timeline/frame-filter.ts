import type { Frame } from './frame-table.ts';
import type { Span } from './span-table.ts';
import type { Timeline } from './timeline.ts';

/** Thrown if a filter for frames is invalid. */
export class FrameFilterError extends Error {
  /** Always `FrameFilterError`. */
  override readonly name = 'FrameFilterError';
  /** Always `bad-filter`. */
  readonly code = 'bad-filter';
  /** The number of characters before the bad term. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/**
 * Decides whether a frame of a timeline is shown. `text` returns the text in which words are searched, and is called only if the filter contains
 * words.
 */
export type FrameFilter = (timeline: Timeline, frame: Frame, text: () => string) => boolean;

interface Subject {
  readonly frame: Frame;
  readonly timeline: Timeline;
  readonly text: () => string;
  /** Returns the spans that begin or end with the frame. */
  readonly spans: () => readonly Span[];
}

type Test = (subject: Subject) => boolean;

const DIRECTIONS: Readonly<Record<string, string>> = {
  host: 'from-host',
  'from-host': 'from-host',
  agent: 'from-agent',
  'from-agent': 'from-agent',
};
const SPAN_KINDS = ['turn', 'request', 'permission', 'hook', 'mcp', 'tool', 'subagent', 'task'];
const STATUSES = ['open', 'ok', 'error', 'cancelled', 'known', 'dropped', 'unknown', 'invalid', 'unmatched', 'lost'];
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

const KEYS: Readonly<Record<string, (value: string, position: number) => Test>> = {
  type: (value) => {
    const pattern = namePattern(value);
    return ({ frame }) => pattern.test(frame.name);
  },
  dir: (value, position) => {
    const dir = DIRECTIONS[oneOf(value, Object.keys(DIRECTIONS), position)];
    return ({ frame }) => frame.dir === dir;
  },
  span: (value, position) => {
    const kind = oneOf(value, SPAN_KINDS, position);
    return ({ spans }) => spans().some((span) => span.kind === kind);
  },
  status: (value, position) => statusTest(oneOf(value, STATUSES, position)),
  duration: durationTest,
  text: textTest,
};

/**
 * Parses a filter such as `type:control_request status:error duration:>500ms dir:agent npm`. A frame is shown if all terms match. `-` before a term
 * negates the term, commas separate alternatives, and double quotes enclose text with blanks. A term without a key is searched as text.
 *
 * | term | matches |
 * |---|---|
 * | `type:NAME` | messages of this type, subtype or `type/subtype`; `*` matches any characters |
 * | `dir:host`, `dir:agent` | frames that this side sent |
 * | `span:KIND` | frames that begin or end a `turn`, `request`, `permission`, `hook`, `mcp`, `tool`, `subagent` or `task` |
 * | `status:STATUS` | frames of a span that is `open`, `ok`, `error` or `cancelled`; frames that are `known`, `dropped`, `unknown`, `invalid`, `unmatched` or `lost` |
 * | `duration:>500ms` | frames that begin or end a span that took longer; also `<`, and the units `s` and `m` |
 * | `text:WORD` | frames whose text contains the word, in upper or lower case |
 *
 * @throws {FrameFilterError} if a key or a value is not in this table.
 */
export function parseFrameFilter(filter: string): FrameFilter {
  const tests = [...filter.matchAll(/(?:"[^"]*"?|[^\s"])+/g)].map(({ 0: term, index }) => termTest(term, index));
  return (timeline, frame, text) => {
    let found: readonly Span[] | undefined;
    const spans = () => (found ??= [...timeline.begunBy(frame), ...timeline.endedBy(frame)]);
    return tests.every((test) => test({ timeline, frame, text, spans }));
  };
}

function termTest(term: string, position: number): Test {
  const isNegated = term.startsWith('-') && term.length > 1;
  const rest = isNegated ? term.slice(1) : term;
  const [, key, values] = /^(\w+):(.*)$/s.exec(rest) ?? [];
  const test = key === undefined || values === undefined ? textTest(unquoted(rest)) : keyTest(key, values, position);
  return isNegated ? (subject) => !test(subject) : test;
}

function keyTest(key: string, values: string, position: number): Test {
  const make = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
  if (make === undefined) {
    const keys = Object.keys(KEYS).join(', ');
    throw new FrameFilterError(
      `unknown key ${key}: the keys are ${keys}; put text that contains a colon in quotes`,
      position,
    );
  }
  const alternatives = key === 'text' ? [values] : values.split(',');
  const tests = alternatives.map((value) => make(unquoted(value), position));
  return (subject) => tests.some((test) => test(subject));
}

function statusTest(status: string): Test {
  if (status === 'unmatched') return ({ frame }) => frame.unmatched;
  if (status === 'lost') return ({ frame }) => frame.kind === 'lost';
  if (['known', 'dropped', 'unknown', 'invalid'].includes(status)) return ({ frame }) => frame.check === status;
  return ({ spans }) => spans().some((span) => span.status === status);
}

function durationTest(value: string, position: number): Test {
  const [, sign, number, unit = 'ms'] = /^([<>])(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(value) ?? [];
  if (number === undefined) {
    throw new FrameFilterError(`"${value}" is not a duration: write a duration such as >500ms or <2s`, position);
  }
  const limit = Number(number) * (UNITS[unit] ?? 1);
  const passes = (ms: number | undefined) => ms !== undefined && (sign === '>' ? ms > limit : ms < limit);
  return ({ timeline, spans }) => spans().some((span) => passes(timeline.durationOf(span)));
}

function textTest(word: string): Test {
  const wanted = word.toLowerCase();
  return ({ text }) => text().toLowerCase().includes(wanted);
}

/** The pattern matches the whole name of a frame, its type or its subtype. */
function namePattern(name: string): RegExp {
  const source = name
    .split(/\*+/)
    .map((part) => part.replaceAll(/[\\^$.|?+()[\]{}/]/g, '\\$&'))
    .join('.*');
  return new RegExp(name.includes('/') ? `^${source}$` : `^(?:${source}(?:/.*)?|[^/]*/${source})$`, 's');
}

function oneOf(value: string, allowed: readonly string[], position: number): string {
  if (allowed.includes(value)) return value;
  throw new FrameFilterError(`${value} is not one of ${allowed.join(', ')}`, position);
}

function unquoted(text: string): string {
  return text.replaceAll('"', '');
}
