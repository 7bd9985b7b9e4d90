import type { Issue } from '../errors.ts';
import { object } from './check-parts.ts';
import { type Direction, findKind, type Found, nameOf } from './find-kind.ts';
import { answerCheck } from './generated/message-checks.ts';
import { leaveOutInvalid } from './leave-out.ts';
import type { ControlAnswers } from './message-types.ts';
import type { MessageFromAgent, MessageFromHost, UnknownMessage } from './message-unions.ts';

/**
 * How to treat an invalid optional member. `lenient` leaves the member out. With `strict`, the member makes the whole message invalid, which is
 * useful for validators.
 */
export type ParseMode = 'lenient' | 'strict';

/** The options of `parseMessage`. */
export interface ParseOptions<D extends Direction = Direction> {
  /** The side that wrote the message. */
  readonly direction: D;
  /** How to treat an invalid optional member. Default `lenient`. */
  readonly mode?: ParseMode;
}

/** A known message of one side. */
export type MessageFrom<D extends Direction> = D extends 'from-agent' ? MessageFromAgent : MessageFromHost;

/**
 * The result of parsing: a known message, a message of an unknown kind, or an invalid value. `name` is the `type` of the message, or `type/subtype`.
 */
export type ParsedMessage<Known> =
  | {
      readonly kind: 'known';
      readonly name: string;
      /** The value itself, or a copy if invalid optional members were left out. */
      readonly message: Known;
      /** The issues of the members that were left out. */
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
 * Checks whether a value is a known message, a message of an unknown kind, or invalid. Unknown members and unknown values of an enumeration are
 * valid. Never throws: without a valid `direction`, every value is `invalid`.
 */
export function parseMessage<D extends Direction>(
  value: unknown,
  options: ParseOptions<D>,
): ParsedMessage<MessageFrom<D>> {
  // Programs that are not type-checked may pass anything.
  const { direction, mode } = (options as Partial<ParseOptions<D>> | undefined) ?? {};
  if (direction !== 'from-agent' && direction !== 'from-host') return invalid(value, NO_DIRECTION);
  if (!object(value)) return invalid(value, { path: [], message: 'expected object' });
  const { type } = value;
  if (typeof type !== 'string') return invalid(value, { path: ['type'], message: 'expected string' });
  const kind = findKind(type, value, direction);
  if (kind === null) return invalid(value, { path: ['subtype'], message: 'expected string' });
  if (kind === undefined)
    return { kind: 'unknown', name: nameOf(type, value), message: value as unknown as UnknownMessage };
  if (!kind.passes(value)) return resultOfRefused(value, kind, mode);
  if (kind.isEnvelope) return { kind: 'unknown', name: kind.name, message: value as unknown as UnknownMessage };
  return { kind: 'known', name: kind.name, message: value as unknown as MessageFrom<D>, dropped: NOTHING };
}

function resultOfRefused<Known>(
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

/** A message of any kind, not checked yet. */
type AnyMessage = Readonly<Record<string, unknown>> & { readonly type: string };

/** A message to pass on, with the issues of the members that were left out, or the reason why the message must not be passed on. */
export type ValidatedMessage =
  | { readonly message: AnyMessage; readonly dropped: readonly Issue[]; readonly issues?: undefined }
  | { readonly issues: readonly Issue[]; readonly message?: undefined };

/** Checks the messages of a session. Messages of unknown kinds pass. */
export type MessageValidator = (message: AnyMessage) => ValidatedMessage;

/**
 * Creates a check for the `validate` option of a session.
 *
 * @example
 * ```ts
 * import { createHostSession } from '@proto/host';
 * import { messageValidator } from '@proto/core/messages';
 * import { spawnAgent } from '@proto/transport-stdio';
 *
 * const validate = messageValidator({ direction: 'from-agent' });
 * const session = createHostSession(spawnAgent({ command: 'claude' }), { validate });
 * ```
 */
export function messageValidator(options: ParseOptions<Direction>): MessageValidator {
  return (message) => {
    const parsed = parseMessage(message, options);
    if (parsed.kind === 'invalid') return { issues: parsed.issues };
    return { message: parsed.message, dropped: parsed.kind === 'known' ? parsed.dropped : [] };
  };
}

/** The payload of the answer to a request with this subtype. Any object for an unknown subtype. */
export type ControlAnswer<Subtype extends string> = Subtype extends keyof ControlAnswers
  ? ControlAnswers[Subtype]
  : object;

/**
 * Checks the payload of an answer to a control request: the member `response.response` of a success. `name` is the subtype of the request. The result
 * is `unknown` for an answer to an undeclared request. An acknowledgement counts as known, and may contain anything. Never throws.
 *
 * @param mode how to treat an invalid optional member, as in `parseMessage`. Default `lenient`
 */
export function parseControlAnswer<Subtype extends string>(
  subtype: Subtype,
  value: unknown,
  mode: ParseMode = 'lenient',
): ParsedMessage<ControlAnswer<Subtype>> {
  if (!object(value)) return { kind: 'invalid', value, issues: [{ path: [], message: 'expected object' }] };
  const passes = answerCheck(subtype);
  if (passes === undefined) return { kind: 'unknown', name: subtype, message: value as never };
  if (passes(value)) return { kind: 'known', name: subtype, message: value as never, dropped: [] };
  return resultOfRefused(value, { name: subtype, passes }, mode);
}
