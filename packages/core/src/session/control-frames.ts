import type { WireMessage } from '../framing/json-line.ts';

/** Whether a value is an object that is not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The body of a control request: its subtype, and the members of that subtype. */
export interface ControlRequest {
  /** The kind of request, such as `can_use_tool`. */
  readonly subtype: string;
  /** The members of this subtype, unchecked. */
  readonly [member: string]: unknown;
}

/** A control request as sent on the wire. The id is echoed exactly as it arrived. Some hosts send no id. */
export interface ControlRequestFrame extends WireMessage {
  readonly type: 'control_request';
  readonly request_id?: unknown;
  readonly request: ControlRequest;
}

/** Whether a message is a control request with a body. The id and the subtype may be missing, because such requests are answered too. */
export function isControlRequest(message: WireMessage): message is ControlRequestFrame {
  return message.type === 'control_request' && isRecord(message['request']);
}

/** Whether a message is an answer with a body. The members of the body are checked when they are used. */
export function isControlResponse(message: WireMessage): boolean {
  return message.type === 'control_response' && isRecord(message['response']);
}

/**
 * Reads the id in a request, in a cancel or in the `response` of an answer. Some hosts write the name of this member in camel case, which is accepted
 * but never written.
 */
export function requestIdOf(holder: Readonly<Record<string, unknown>>): unknown {
  return holder['request_id'] ?? holder['requestId'];
}
