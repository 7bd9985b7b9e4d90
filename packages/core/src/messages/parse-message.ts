import type { Direction } from './direction.ts';
import { dropInvalid } from './drop-invalid.ts';
import type { MessageFromAgent } from './from-agent.ts';
import type { MessageFromHost } from './from-host.ts';
import { flattenIssues, type Issue } from './issues.ts';
import { lookUp } from './message-schema.ts';
import type { SchemaOf } from './schema.ts';

/** Whether an invalid optional member is left out (`lenient`), or makes its message invalid (`strict`; for validators). */
export type ParseMode = 'lenient' | 'strict';

/** How to parse. */
export interface ParseOptions<D extends Direction = Direction> {
  /** Who wrote the message. */
  readonly direction: D;
  /** `lenient` unless told. */
  readonly mode?: ParseMode;
}

/** A known message of one side. */
export type MessageFrom<D extends Direction> = D extends 'from-agent' ? MessageFromAgent : MessageFromHost;

/** A message of a kind that is not known, as it came. */
export interface UnknownMessage {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** What a value is. `name` is `type`, or `type/subtype`. */
export type ParsedMessage<Known> =
  | {
      readonly kind: 'known';
      readonly name: string;
      /** The value itself; a copy only where invalid optional members were left out. */
      readonly message: Known;
      /** What was wrong with the members left out. */
      readonly dropped: readonly Issue[];
    }
  | { readonly kind: 'unknown'; readonly name: string; readonly message: UnknownMessage }
  | { readonly kind: 'invalid'; readonly value: unknown; readonly issues: readonly Issue[] };

const NOTHING: readonly Issue[] = [];
const NO_DIRECTION: Issue = {
  path: [],
  message: "cannot be checked: the option direction must be 'from-agent' or 'from-host'",
};

/**
 * Tells a known message from one of an unknown kind and from one that breaks its schema. Never throws: with a `direction` that is none,
 * every value is `invalid`. Members not known are no error, and neither are values not known of an enumeration.
 */
export function parseMessage<D extends Direction>(
  value: unknown,
  options: ParseOptions<D>,
): ParsedMessage<MessageFrom<D>> {
  // Programs without types say other things.
  const { direction, mode } = (options as Partial<ParseOptions<D>> | undefined) ?? {};
  if (!isDirection(direction)) return { kind: 'invalid', value, issues: [NO_DIRECTION] };
  if (!isMessage(value)) return { kind: 'invalid', value, issues: [envelopeIssue(value)] };
  const { name, schema, envelopeOnly, subtypeMissing } = lookUp(value, direction);
  if (subtypeMissing) return { kind: 'invalid', value, issues: [{ path: ['subtype'], message: 'expected string' }] };
  if (schema === undefined) return { kind: 'unknown', name, message: value };

  if (schema.passes(value)) {
    if (envelopeOnly) return { kind: 'unknown', name, message: value };
    return { kind: 'known', name, message: value as unknown as MessageFrom<D>, dropped: NOTHING };
  }
  const built = schema();
  const issues = issuesOf(built, value);
  const rest = mode === 'strict' ? undefined : dropInvalid(value, issues, (copy) => issuesOf(built, copy));
  if (rest === undefined) return { kind: 'invalid', value, issues };
  return { kind: 'known', name, message: rest.value as MessageFrom<D>, dropped: rest.dropped };
}

function isDirection(value: unknown): value is Direction {
  return value === 'from-agent' || value === 'from-host';
}

function isMessage(value: unknown): value is UnknownMessage {
  return isObject(value) && typeof value['type'] === 'string';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function envelopeIssue(value: unknown): Issue {
  return isObject(value) ? { path: ['type'], message: 'expected string' } : { path: [], message: 'expected object' };
}

function issuesOf(schema: SchemaOf<unknown>, value: unknown): readonly Issue[] {
  const result = schema.safeParse(value);
  return result.success ? NOTHING : flattenIssues(result.error.issues);
}
