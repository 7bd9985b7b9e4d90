import * as z from 'zod/mini';
import { cutText } from '../framing/cut-text.ts';
import { JsonDepthError, parseJson } from '../framing/parse-json.ts';
import type { Issue } from '../errors.ts';
import { type Direction, memberOf } from '../messages/find-kind.ts';
import { type ParsedMessage, parseMessage, type ParseMode } from '../messages/parse-message.ts';
import { AnsweredRequests } from './answered-requests.ts';
import { expectedAt } from './describe-schema.ts';
import { findSchema } from './find-schema.ts';
import { type UnknownPart, unknownParts } from './unknown-parts.ts';
import { issuesIn } from './zod-issues.ts';

/**
 * The kind of a finding. The first two kinds make a line invalid. All other kinds are drift, which means that the protocol has changed since this
 * version.
 */
export type FindingCode =
  | 'not_json'
  | 'invalid'
  | 'dropped_member'
  | 'unknown_type'
  | 'unknown_member'
  | 'unknown_value'
  | 'unknown_kind';

/** A part of a stream that is wrong or unknown. */
export interface Finding {
  /** The kind of the finding. */
  readonly code: FindingCode;
  /** How serious the finding is: `error` for an invalid line, `warning` for an invalid member that was left out, `info` for an unknown part. */
  readonly severity: 'error' | 'warning' | 'info';
  /** The number of the line in which the finding was first seen, as passed to `read` or counted from 1. */
  readonly line: number;
  /** How often the finding was seen. 1 for an error in a single line. */
  readonly count: number;
  /** The name of the message, as `type` or `type/subtype`. */
  readonly name?: string;
  /** The path in the message, as names joined with dots. For an unknown part, `[]` means any item of a list, and `*` any name in a map. */
  readonly path?: string;
  /** The unknown value. */
  readonly value?: string;
  /** What is wrong, as text for people. Present for `not_json`, `invalid` and `dropped_member`. */
  readonly message?: string;
}

/** The options of `createDriftReport`. */
export interface DriftReportOptions {
  /** The side that wrote the lines. With `auto`, each line is assigned to the side that is known to send such lines. */
  readonly direction: Direction | 'auto';
  /** `strict`: an invalid optional member makes its line invalid. Default `lenient`. */
  readonly mode?: ParseMode;
}

/** Checks a stream line by line, and counts its unknown parts. */
export interface DriftReport {
  /**
   * Checks a line and returns its findings. Pass the number of the line if earlier lines were left out, and the direction if it is known for each
   * line. Never throws.
   */
  read(line: string, number?: number, writer?: Direction): readonly Finding[];
  /** Counts a line that was too long to be passed to `read`, and returns the finding. */
  unreadable(message: string, number?: number): Finding;
  /** The unknown parts, each listed once with its count. */
  readonly drift: readonly Finding[];
  /** How often each message was seen. */
  readonly names: ReadonlyMap<string, number>;
  /** How many lines were read, including unreadable lines. */
  readonly lines: number;
  /** How many lines are valid messages, of a known or an unknown kind. */
  readonly valid: number;
}

/** Creates the report for one stream. */
export function createDriftReport(options: DriftReportOptions): DriftReport {
  return new StreamReport(options);
}

const ANYTHING = z.unknown();
const BOTH: readonly Direction[] = ['from-agent', 'from-host'];
const PAYLOAD = ['response', 'response'];
const CODES = { member: 'unknown_member', value: 'unknown_value', kind: 'unknown_kind' } as const;
// Limited, because the peer chooses the names and may keep sending new names.
const MAX_THINGS = 10_000;
// A peer may send a value of any length.
const MAX_VALUE_LENGTH = 80;

class StreamReport implements DriftReport {
  readonly #directions: readonly Direction[];
  readonly #mode: ParseMode;
  readonly #requests = new AnsweredRequests();
  readonly #drift = new Map<string, Finding>();
  readonly #names = new Map<string, number>();
  lines = 0;
  valid = 0;
  #lineNumber = 0;

  constructor({ direction, mode = 'lenient' }: DriftReportOptions) {
    this.#directions = direction === 'auto' ? BOTH : [direction];
    this.#mode = mode;
  }

  get drift(): readonly Finding[] {
    return [...this.#drift.values()];
  }

  get names(): ReadonlyMap<string, number> {
    return this.#names;
  }

  unreadable(message: string, number = this.#lineNumber + 1): Finding {
    this.lines++;
    this.#lineNumber = number;
    return { code: 'not_json', severity: 'error', line: number, count: 1, message };
  }

  read(line: string, number = this.#lineNumber + 1, writer?: Direction): readonly Finding[] {
    let value: unknown;
    try {
      value = parseJson(line);
    } catch (error) {
      const why = error instanceof JsonDepthError ? 'the line is nested too deeply' : 'the line is not JSON';
      return [this.unreadable(why, number)];
    }
    this.lines++;
    this.#lineNumber = number;
    const { parsed, direction } = this.#parse(value, writer === undefined ? this.#directions : [writer]);
    if (parsed.kind === 'invalid') return this.#invalid(allIssues(value, direction) ?? parsed.issues, value);
    const { name, message } = parsed;
    const answer = this.#requests.follow(message, this.#writerOf(message, direction, writer));
    const payloadIssues = answer === undefined ? [] : issuesIn(answer.schema, answer.payload, PAYLOAD);
    if (payloadIssues.length > 0) return this.#invalid(payloadIssues, value);
    this.valid++;
    this.#see(name);
    if (parsed.kind === 'unknown') {
      this.#count({ code: 'unknown_type', name });
      return [];
    }
    for (const part of this.#partsOf(message, direction)) this.#count(named(part, name));
    if (answer !== undefined) {
      for (const part of unknownParts(answer.schema, answer.payload)) {
        this.#count(named({ ...part, path: `${PAYLOAD.join('.')}.${part.path}` }, name));
      }
    }
    const dropped = parsed.dropped.map((issue) => inWordsOfSchema(issue, value, direction));
    return dropped.map((issue) => this.#finding('dropped_member', 'warning', issue, name));
  }

  /**
   * Parses a line as a message from the first side for which it is a valid message of a known kind. Without such a side, uses the first side for
   * which the message is invalid, because that side knows its type.
   */
  #parse(value: unknown, directions: readonly Direction[]): { parsed: ParsedMessage<object>; direction: Direction } {
    const tried = directions.map((direction) => {
      const parsed: ParsedMessage<object> = parseMessage(value, { direction, mode: this.#mode });
      return { parsed, direction };
    });
    const [first] = tried;
    if (first === undefined) throw new TypeError('a direction is missing');
    const knownTo = tried.find(({ parsed }) => parsed.kind === 'known');
    return knownTo ?? tried.find(({ parsed }) => parsed.kind === 'invalid') ?? first;
  }

  // Both sides send answers, so the side of an answer is known only if the caller passed it.
  #writerOf(message: object, direction: Direction, writer: Direction | undefined): Direction | undefined {
    if (memberOf(message, 'type') !== 'control_response') return direction;
    return writer ?? (this.#directions.length === 1 ? this.#directions[0] : undefined);
  }

  #partsOf(message: object, direction: Direction): readonly UnknownPart[] {
    const schema = findSchema(message, direction);
    return schema === undefined ? [] : unknownParts(schema, message);
  }

  #invalid(issues: readonly Issue[], value: unknown): readonly Finding[] {
    const type = memberOf(value, 'type');
    const name = typeof type === 'string' ? type : undefined;
    return issues.map((issue) => this.#finding('invalid', 'error', issue, name));
  }

  #finding(
    code: FindingCode,
    severity: Finding['severity'],
    { path, message }: { readonly path: readonly PropertyKey[]; readonly message: string },
    name: string | undefined,
  ): Finding {
    const about = { code, severity, line: this.#lineNumber, count: 1, path: path.join('.'), message };
    return name === undefined ? about : { ...about, name };
  }

  #see(name: string): void {
    const count = this.#names.get(name) ?? 0;
    if (count > 0 || this.#names.size < MAX_THINGS) this.#names.set(name, count + 1);
  }

  #count(thing: Pick<Finding, 'code' | 'name' | 'path' | 'value'>): void {
    const key = JSON.stringify([thing.code, thing.name, thing.path, thing.value]);
    if (this.#drift.size >= MAX_THINGS && !this.#drift.has(key)) return;
    const { line, count } = this.#drift.get(key) ?? { line: this.#lineNumber, count: 0 };
    this.#drift.set(key, { ...thing, severity: 'info', line, count: count + 1 });
  }
}

function allIssues(value: unknown, direction: Direction): readonly Issue[] | undefined {
  const issues = issuesIn(schemaOf(value, direction) ?? ANYTHING, value);
  return issues.length === 0 ? undefined : issues;
}

function inWordsOfSchema(issue: Issue, value: unknown, direction: Direction): Issue {
  const schema = issue.path.length === 0 ? undefined : schemaOf(value, direction);
  const expected = schema && expectedAt(schema, value, issue.path);
  return expected === undefined ? issue : { ...issue, message: `expected ${expected}` };
}

function schemaOf(value: unknown, direction: Direction): z.ZodMiniType | undefined {
  return typeof memberOf(value, 'type') === 'string' ? findSchema(value as object, direction) : undefined;
}

function named({ kind, path, value }: UnknownPart, name: string): Pick<Finding, 'code' | 'name' | 'path' | 'value'> {
  const about = { code: CODES[kind], name, path };
  return value === undefined ? about : { ...about, value: cutText(value, MAX_VALUE_LENGTH) };
}
