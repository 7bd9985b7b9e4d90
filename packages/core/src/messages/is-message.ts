import type { MessagesFromAgent as Messages, SDKResultError } from './message-types.ts';
import type { MessageFromAgent, SDKResultMessage } from './message-unions.ts';
import { memberOf } from './find-kind.ts';

// These look at the discriminators and nothing else: parseMessage() is what checks a message.

/** A `system` message of one of the known subtypes. */
export type SystemMessage = Extract<MessageFromAgent, { type: 'system' }>;

/** Tells a reply of the model. */
export function isAssistantMessage(value: unknown): value is Messages['assistant'] {
  return memberOf(value, 'type') === 'assistant';
}

/** Tells a `user` message: a prompt, a tool result or an echo. */
export function isUserMessage(value: unknown): value is Messages['user' | 'user/replay'] {
  return memberOf(value, 'type') === 'user';
}

/** Tells the echo of a prompt. */
export function isUserMessageReplay(value: unknown): value is Messages['user/replay'] {
  return isUserMessage(value) && memberOf(value, 'isReplay') === true;
}

/** Tells the end of a turn, however it ended. */
export function isResultMessage(value: unknown): value is SDKResultMessage {
  return memberOf(value, 'type') === 'result';
}

/** Tells the end of a turn that ran through; its `is_error` may still tell of an API error. */
export function isResultSuccess(value: unknown): value is Messages['result/success'] {
  return isResultMessage(value) && value.subtype === 'success';
}

/** Tells the end of a turn that was cut; also one of a subtype not known yet. */
export function isResultError(value: unknown): value is SDKResultError {
  return isResultMessage(value) && value.subtype !== 'success';
}

/** Tells a `system` message, or one of that subtype. */
export function isSystemMessage(value: unknown): value is SystemMessage;
export function isSystemMessage<Subtype extends SystemMessage['subtype']>(
  value: unknown,
  subtype: Subtype,
): value is Extract<SystemMessage, { subtype: Subtype }>;
export function isSystemMessage(value: unknown, subtype?: string): boolean {
  return memberOf(value, 'type') === 'system' && (subtype === undefined || memberOf(value, 'subtype') === subtype);
}

/** Tells a stream event of the model API. */
export function isPartialAssistantMessage(value: unknown): value is Messages['stream_event'] {
  return memberOf(value, 'type') === 'stream_event';
}

/** Tells that a tool is still running. */
export function isToolProgressMessage(value: unknown): value is Messages['tool_progress'] {
  return memberOf(value, 'type') === 'tool_progress';
}

/** Tells that the limits of the plan changed. */
export function isRateLimitEvent(value: unknown): value is Messages['rate_limit_event'] {
  return memberOf(value, 'type') === 'rate_limit_event';
}

/** Tells a control request. */
export function isControlRequest(value: unknown): value is Messages['control_request'] {
  return memberOf(value, 'type') === 'control_request';
}

/** Tells an answer to a control request. */
export function isControlResponse(value: unknown): value is Messages['control_response'] {
  return memberOf(value, 'type') === 'control_response';
}

/** Tells that a control request is taken back. */
export function isControlCancelRequest(value: unknown): value is Messages['control_cancel_request'] {
  return memberOf(value, 'type') === 'control_cancel_request';
}

/** Tells a sign of life. */
export function isKeepAliveMessage(value: unknown): value is Messages['keep_alive'] {
  return memberOf(value, 'type') === 'keep_alive';
}
