import { ControlError, type ControlRequest } from '@proto/core';
import { isRecord } from '@proto/core/internal';

/** @throws {ControlError} with the code `invalid_request` if the member is not a string */
export function textMember(request: ControlRequest, member: string): string {
  const value = request[member];
  if (typeof value !== 'string') throw invalidRequest(`${member} must be a string`);
  return value;
}

/** @throws {ControlError} with the code `invalid_request` if the member is not an object */
export function objectMember(request: ControlRequest, member: string): Readonly<Record<string, unknown>> {
  const value = request[member];
  if (!isRecord(value)) throw invalidRequest(`${member} must be an object`);
  return value;
}

export function invalidRequest(text: string): ControlError {
  return new ControlError(text, { code: 'invalid_request' });
}

/** Hosts treat the code of this refusal like the code for an unknown request. */
export function unsupported(text: string): ControlError {
  return new ControlError(text, { code: 'unsupported_request' });
}
