import { ControlError, type ControlRequest } from '@proto/core';
import { isRecord } from '@proto/core/internal';

/** A member that has to be a text; throws the refusal of the request. */
export function textMember(request: ControlRequest, member: string): string {
  const value = request[member];
  if (typeof value !== 'string') throw invalidRequest(`${member} must be a string`);
  return value;
}

/** A member that has to be an object; throws the refusal of the request. */
export function objectMember(request: ControlRequest, member: string): Readonly<Record<string, unknown>> {
  const value = request[member];
  if (!isRecord(value)) throw invalidRequest(`${member} must be an object`);
  return value;
}

/** The refusal of a request whose members are wrong. */
export function invalidRequest(text: string): ControlError {
  return new ControlError(text, { code: 'invalid_request' });
}
