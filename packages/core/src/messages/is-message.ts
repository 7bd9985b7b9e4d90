import type { MessagesFromAgent as Messages, SDKResultError } from './message-types.ts';
import type { MessageFromAgent, SDKResultMessage } from './message-unions.ts';
import { memberOf } from './find-kind.ts';

// These functions read only the discriminators; `parseMessage` checks a whole message.

/** A `system` message with one of the known subtypes. */
export type SystemMessage = Extract<MessageFromAgent, { type: 'system' }>;

/** True if the value is an `assistant` message: a reply from the model. */
export function isAssistantMessage(value: unknown): value is Messages['assistant'] {
  return memberOf(value, 'type') === 'assistant';
}

/** True if the value is a `user` message, which is a prompt, a tool result or the echo of a prompt. */
export function isUserMessage(value: unknown): value is Messages['user' | 'user/replay'] {
  return memberOf(value, 'type') === 'user';
}

/** True if the value is the echo of a prompt: a `user` message whose `isReplay` is `true`. */
export function isUserMessageReplay(value: unknown): value is Messages['user/replay'] {
  return isUserMessage(value) && memberOf(value, 'isReplay') === true;
}

/** True if the value is a `result` message: the end of a turn, whether it succeeded or not. */
export function isResultMessage(value: unknown): value is SDKResultMessage {
  return memberOf(value, 'type') === 'result';
}

/** True if the value is the `result` of a turn that was not cut off. If `is_error` of this message is `true`, a call to the model API failed. */
export function isResultSuccess(value: unknown): value is Messages['result/success'] {
  return isResultMessage(value) && value.subtype === 'success';
}

/** True if the value is the `result` of a turn that was cut off. Its subtype may be unknown, but is not `success`. */
export function isResultError(value: unknown): value is SDKResultError {
  return isResultMessage(value) && value.subtype !== 'success';
}

/** True if the value is a `system` message. If a subtype is given, true only for a message with this subtype. */
export function isSystemMessage(value: unknown): value is SystemMessage;
/** True if the value is a `system` message with the given subtype. */
export function isSystemMessage<Subtype extends SystemMessage['subtype']>(
  value: unknown,
  subtype: Subtype,
): value is Extract<SystemMessage, { subtype: Subtype }>;
export function isSystemMessage(value: unknown, subtype?: string): boolean {
  return memberOf(value, 'type') === 'system' && (subtype === undefined || memberOf(value, 'subtype') === subtype);
}

/** True if the value is a `stream_event` message, which contains a stream event of the model API. */
export function isPartialAssistantMessage(value: unknown): value is Messages['stream_event'] {
  return memberOf(value, 'type') === 'stream_event';
}

/** True if the value is a `tool_progress` message, which reports that a tool is still running. */
export function isToolProgressMessage(value: unknown): value is Messages['tool_progress'] {
  return memberOf(value, 'type') === 'tool_progress';
}

/** True if the value is a `rate_limit_event` message, which reports that the limits of the plan have changed. */
export function isRateLimitEvent(value: unknown): value is Messages['rate_limit_event'] {
  return memberOf(value, 'type') === 'rate_limit_event';
}

/** True if the value is a `control_request`. */
export function isControlRequest(value: unknown): value is Messages['control_request'] {
  return memberOf(value, 'type') === 'control_request';
}

/** True if the value is a `control_response`, which answers a control request. */
export function isControlResponse(value: unknown): value is Messages['control_response'] {
  return memberOf(value, 'type') === 'control_response';
}

/** True if the value is a `control_cancel_request`, with which the sender of a control request withdraws the request. */
export function isControlCancelRequest(value: unknown): value is Messages['control_cancel_request'] {
  return memberOf(value, 'type') === 'control_cancel_request';
}

/** True if the value is a `keep_alive` message, which only keeps a connection alive. */
export function isKeepAliveMessage(value: unknown): value is Messages['keep_alive'] {
  return memberOf(value, 'type') === 'keep_alive';
}
