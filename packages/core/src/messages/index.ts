export type { Direction } from './find-kind.ts';
export { HOOK_EVENTS } from './hook-events.ts';
export * from './is-message.ts';
export type * from './message-types.ts';
export type * from './message-unions.ts';
export {
  type MessageFrom,
  type MessageValidator,
  messageValidator,
  parseControlAnswer,
  type ParsedMessage,
  parseMessage,
  type ParseMode,
  type ParseOptions,
  type ValidatedMessage,
} from './parse-message.ts';
