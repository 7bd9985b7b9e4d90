import { ControlError, type ControlRequest } from '@proto/core';
import { isRecord } from '@proto/core/internal';

/**
 * Reads a member of a request that must be a string.
 *
 * @throws {ControlError} with the code `invalid_request` for any other value
 */
export function textMember(request: ControlRequest, member: string): string {
  const value = request[member];
  if (typeof value !== 'string') throw invalidRequest(`${member} must be a string`);
  return value;
}

/**
 * Reads a member of a request that must be an object.
 *
 * @throws {ControlError} with the code `invalid_request` for any other value
 */
export function objectMember(request: ControlRequest, member: string): Readonly<Record<string, unknown>> {
  const value = request[member];
  if (!isRecord(value)) throw invalidRequest(`${member} must be an object`);
  return value;
}

export function invalidRequest(text: string): ControlError {
  return new ControlError(text, { code: 'invalid_request' });
}

/**
 * Creates the refusal of a request that the agent knows but cannot serve. Hosts treat the code of this refusal like the code for an unknown request.
 */
export function unsupported(text: string): ControlError {
  return new ControlError(text, { code: 'unsupported_request' });
}
