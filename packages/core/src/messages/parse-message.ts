import type { Issue } from '../errors.ts';
import { object } from './check-parts.ts';
import { type Direction, findKind, type Found, nameOf } from './find-kind.ts';
import { answerCheck } from './generated/message-checks.ts';
import { leaveOutInvalid } from './leave-out.ts';
import type { ControlAnswers } from './message-types.ts';
import type { MessageFromAgent, MessageFromHost, UnknownMessage } from './message-unions.ts';

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
function refused<Known>(
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

/** A message to hand on, with what was left out of it; or why it must not be handed on. */
export type ValidatedMessage =
  | { readonly message: AnyMessage; readonly dropped: readonly Issue[]; readonly issues?: undefined }
  | { readonly issues: readonly Issue[]; readonly message?: undefined };

/** Checks the messages of a session. Messages of unknown kinds pass. */
export type MessageValidator = (message: AnyMessage) => ValidatedMessage;

/** Makes the check that a session takes as `validate`. */
export function messageValidator(options: ParseOptions<Direction>): MessageValidator {
  return (message) => {
    const parsed = parseMessage(message, options);
    if (parsed.kind === 'invalid') return { issues: parsed.issues };
    return { message: parsed.message, dropped: parsed.kind === 'known' ? parsed.dropped : [] };
  };
}

/** The payload of the answer to requests of one subtype; any object where it is not known. */
export type ControlAnswer<Subtype extends string> = Subtype extends keyof ControlAnswers
  ? ControlAnswers[Subtype]
  : object;

/**
 * Checks what a peer answered to a control request: the member `response.response` of a success. Its name is the subtype of the request.
 * The answer to a request that is not declared is `unknown`; a mere acknowledgement may hold anything, and is known. Never throws.
 *
 * @param mode as of `parseMessage`; default `lenient`
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
  return refused(value, { name: subtype, passes }, mode);
}
