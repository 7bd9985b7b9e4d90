/** One JSON object as it travels: parsed, not yet validated. */
export interface WireMessage {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Why a line is no message. */
export type MalformedReason = 'not-json' | 'null' | 'not-an-object' | 'no-type';

/** A message, or why the line is none. */
export type ParsedLine =
  | { readonly message: WireMessage; readonly malformed?: undefined }
  | { readonly malformed: MalformedReason; readonly message?: undefined };

/** Parses one line. Never throws; a reason holds nothing of the line, so that it may be logged. */
export function parseLine(line: string): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { malformed: 'not-json' };
  }
  if (value === null) return { malformed: 'null' };
  if (typeof value !== 'object' || Array.isArray(value)) return { malformed: 'not-an-object' };
  const message = value as WireMessage;
  return typeof message.type === 'string' ? { message } : { malformed: 'no-type' };
}
