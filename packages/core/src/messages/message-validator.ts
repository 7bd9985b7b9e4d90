import type { Direction } from './direction.ts';
import type { Issue } from '../errors.ts';
import { parseMessage, type ParseOptions } from './parse-message.ts';

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
