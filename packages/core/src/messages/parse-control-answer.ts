import { object } from './check-parts.ts';
import { answerCheck } from './generated/message-checks.ts';
import type { ControlAnswers } from './message-types.ts';
import { type ParsedMessage, type ParseMode, refused } from './parse-message.ts';

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
