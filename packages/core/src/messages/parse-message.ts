import type { Issue } from '../errors.ts';
import { object } from './check-parts.ts';
import type { Direction } from './direction.ts';
import { findKind, type Found, nameOf } from './find-kind.ts';
import { leaveOutInvalid } from './leave-out.ts';
import type { MessageFromAgent, MessageFromHost } from './message-unions.ts';
import type { UnknownMessage } from './unknown-message.ts';

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
  if (direction !== 'from-agent' && direction !== 'from-host') return invalid(value, NO_DIRECTION);
  if (!object(value)) return invalid(value, { path: [], message: 'expected object' });
  const { type } = value;
  if (typeof type !== 'string') return invalid(value, { path: ['type'], message: 'expected string' });
  const kind = findKind(type, value, direction);
  if (kind === null) return invalid(value, { path: ['subtype'], message: 'expected string' });
  if (kind === undefined)
    return { kind: 'unknown', name: nameOf(type, value), message: value as unknown as UnknownMessage };
  if (!kind.passes(value)) return refused(value, kind, mode);
  if (kind.isEnvelope) return { kind: 'unknown', name: kind.name, message: value as unknown as UnknownMessage };
  return { kind: 'known', name: kind.name, message: value as unknown as MessageFrom<D>, dropped: NOTHING };
}

/** What becomes of a value of a known kind that its check refuses. */
export function refused<Known>(
  value: object,
  { name, passes }: Pick<Found, 'name' | 'passes'>,
  mode: ParseMode = 'lenient',
): ParsedMessage<Known> {
  const { issues, rest } = leaveOutInvalid(passes, value);
  if (rest === undefined || mode === 'strict') return { kind: 'invalid', value, issues };
  return { kind: 'known', name, message: rest as Known, dropped: issues };
}

function invalid(value: unknown, issue: Issue): { readonly kind: 'invalid'; value: unknown; issues: readonly Issue[] } {
  return { kind: 'invalid', value, issues: [issue] };
}
