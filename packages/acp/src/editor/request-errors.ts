import { RequestError } from '@agentclientprotocol/sdk';

/** The error `-32603` with the text of an error. Editors show this text. A `RequestError` is returned as it is. */
export function internalError(error: unknown, what = ''): RequestError {
  return error instanceof RequestError ? error : RequestError.internalError(undefined, `${what}${textOf(error)}`);
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
