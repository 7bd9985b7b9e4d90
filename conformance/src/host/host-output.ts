import { cutText, parseJson } from '@proto/core/framing';
import { isObject } from '@proto/testkit/steps';

/** What a host has written: a message, or bytes that break a requirement about lines. */
export type HostLine =
  | { readonly message: Readonly<Record<string, unknown>>; readonly text: string }
  | { readonly spec: string; readonly reason: string; readonly text: string };

const LF = 0x0a;
const CR = 0x0d;

/** Splits the output of a host into messages, and checks the bytes against the requirements for writers. */
export class HostOutput {
  #rest: Uint8Array[] = [];
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

  push(bytes: Uint8Array): HostLine[] {
    const lines: HostLine[] = [];
    let from = 0;
    for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, from)) {
      const line = Buffer.concat([...this.#rest, bytes.subarray(from, at)]);
      if (line.at(-1) === CR)
        lines.push({ spec: 'FRM-29', reason: `a line has a CR before its LF: ${shown(line)}`, text: '' });
      lines.push(this.#read(line));
      this.#rest = [];
      from = at + 1;
    }
    if (from < bytes.length) this.#rest.push(bytes.subarray(from));
    return lines;
  }

  /** Returns a complete message that has no LF after it. Call this when the host writes nothing more. */
  unfinished(): HostLine[] {
    const text = Buffer.concat(this.#rest).toString();
    return isMessage(text)
      ? [{ spec: 'FRM-1', reason: `an LF is missing after the message ${shown(Buffer.from(text))}`, text }]
      : [];
  }

  /** Returns the bytes after the last LF as a line, if there are any. */
  end(): HostLine[] {
    const left = Buffer.concat(this.#rest);
    this.#rest = [];
    if (left.length === 0) return [];
    return [
      {
        spec: 'FRM-1',
        reason: `the input ended with ${left.length} bytes without an LF after them: ${shown(left)}`,
        text: left.toString(),
      },
    ];
  }

  #read(line: Uint8Array): HostLine {
    let text: string;
    try {
      text = this.#decoder.decode(line);
    } catch {
      return { spec: 'FRM-2', reason: `a line is not valid UTF-8: ${shown(line)}`, text: Buffer.from(line).toString() };
    }
    if (text.startsWith('\uFEFF')) return { spec: 'FRM-2', reason: 'a line begins with a byte order mark', text };
    try {
      const message: unknown = parseJson(text);
      if (isObject(message)) return { message, text };
    } catch {
      // This is reported below, like JSON that is not an object.
    }
    return { spec: 'FRM-1', reason: `a line is not a JSON object: ${shown(line)}`, text };
  }
}

function isMessage(text: string): boolean {
  try {
    return isObject(parseJson(text));
  } catch {
    return false;
  }
}

function shown(bytes: Uint8Array): string {
  const text = JSON.stringify(Buffer.from(bytes).toString('utf8'));
  return text.length > 200 ? `${cutText(text, 200)}… (${bytes.length} bytes)` : text;
}
