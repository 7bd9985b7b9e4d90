import { JsonDepthError, parseJson } from './parse-json.ts';

/**
 * Encodes a value as one line: its JSON text followed by LF. U+2028 and U+2029 are escaped, because some readers, such as Node's `readline`, end a
 * line at these characters.
 *
 * @throws {TypeError} for a value that JSON cannot represent, such as `undefined`
 */
export function encodeLine(value: unknown): string {
  return `${encodeText(value)}\n`;
}

/** Encodes a value like `encodeLine`, without the LF. */
export function encodeText(value: unknown): string {
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) throw new TypeError(`JSON cannot express a value of type ${typeof value}`);
  return escapeAll(escapeAll(json, '\u2028', '\\u2028'), '\u2029', '\\u2029');
}

// Checks with `includes` first instead of a regex: V8 knows that a one-byte string cannot contain such a character, so ASCII text takes 30 ns and is
// not scanned.
function escapeAll(json: string, separator: string, escape: string): string {
  return json.includes(separator) ? json.replaceAll(separator, escape) : json;
}

/** A message as sent on the wire: a JSON object with a `type`, parsed but not yet checked. */
export interface WireMessage {
  /** The type of the message, which determines its members. */
  readonly type: string;
  /** All other members, unchecked. */
  readonly [key: string]: unknown;
}

/** Why a line is not a message: it is not JSON, `null`, not an object, an object without a `type`, or nested deeper than 1000 levels. */
export type MalformedReason = 'not-json' | 'null' | 'not-an-object' | 'no-type' | 'too-deep';

/** A message, or why the line is not a message. */
export type ParsedLine =
  | { readonly message: WireMessage; readonly malformed?: undefined }
  | { readonly malformed: MalformedReason; readonly message?: undefined };

/** Parses one line. Never throws. `malformed` contains no part of the line, so that it may be logged. */
export function parseLine(line: string): ParsedLine {
  let value: unknown;
  try {
    value = parseJson(line);
  } catch (error) {
    return { malformed: error instanceof JsonDepthError ? 'too-deep' : 'not-json' };
  }
  if (value === null) return { malformed: 'null' };
  if (typeof value !== 'object' || Array.isArray(value)) return { malformed: 'not-an-object' };
  const message = value as WireMessage;
  return typeof message.type === 'string' ? { message } : { malformed: 'no-type' };
}
