export type { Issue } from '../errors.ts';
export type { Direction } from './direction.ts';
export { HOOK_EVENTS } from './hook-events.ts';
export * from './is-message.ts';
export type * from './message-types.ts';
export type * from './message-unions.ts';
export { type MessageValidator, messageValidator, type ValidatedMessage } from './message-validator.ts';
export { parseControlAnswer } from './parse-control-answer.ts';
export {
  type MessageFrom,
  type ParsedMessage,
  parseMessage,
  type ParseMode,
  type ParseOptions,
} from './parse-message.ts';
export type * from './unknown-message.ts';
