import type { WireMessage } from '../framing/json-line.ts';

/** Whether a value is an object and no array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The body of a control request: what it asks, and its members. */
export interface ControlRequest {
  readonly subtype: string;
  readonly [member: string]: unknown;
}

/** A control request as it travels. The id is echoed as it came; agents meet hosts that send none. */
export interface ControlRequestFrame extends WireMessage {
  readonly type: 'control_request';
  readonly request_id?: unknown;
  readonly request: ControlRequest;
}

/** Whether a message asks something; an id may be missing, which some hosts do, and so may the subtype: both are answered. */
export function isControlRequest(message: WireMessage): message is ControlRequestFrame {
  return message.type === 'control_request' && isRecord(message['request']);
}

/** Whether a message answers something; everything inside is checked where it is used. */
export function isControlResponse(message: WireMessage): boolean {
  return message.type === 'control_response' && isRecord(message['response']);
}

/**
 * The id of a request or of a cancel, or that in the `response` of an answer. Some hosts write it in camel case, which is accepted but
 * never written.
 */
export function requestIdOf(holder: Readonly<Record<string, unknown>>): unknown {
  return holder['request_id'] ?? holder['requestId'];
}
