import type { Line } from '../framing/line-decoder.ts';
import { parseLine } from '../framing/parse-line.ts';
import { TransportError } from './error.ts';
import type { Cursor, Incoming, IncomingMessage, ReadResult } from './transport.ts';

class LineMessage implements IncomingMessage {
  readonly kind = 'message';
  readonly text: string;
  #result: ReadResult | undefined;

  constructor(text: string) {
    this.text = text;
  }

  read(): ReadResult {
    return (this.#result ??= this.#parse());
  }

  #parse(): ReadResult {
    const parsed = parseLine(this.text);
    if (parsed.message !== undefined) return parsed;
    const reason = parsed.malformed;
    return { error: new TransportError('malformed', `line is not a message: ${reason}`), reason };
  }
}

/** A received line as the item a driver reports. Its text is parsed only when somebody reads it. */
export function incomingMessage(text: string, place: { cursor?: Cursor; source?: string } = {}): IncomingMessage {
  return Object.assign(new LineMessage(text), place);
}

/** Decoded lines as the items a driver reports; an over-long line becomes a `malformed` item in its place. */
export function incomingLines(lines: readonly Line[]): readonly Incoming[] {
  return lines.map((line): Incoming => {
    if (typeof line === 'string') return new LineMessage(line);
    const { bytes, limit, head } = line;
    const text = `line of ${bytes} bytes, limit ${limit}: raise maxLineBytes`;
    return { kind: 'malformed', error: new TransportError('too-large', text), excerpt: head };
  });
}

/** What arrives one by one, for callers without a session. */
export async function* each(incoming: AsyncIterable<readonly Incoming[]>): AsyncGenerator<Incoming, void, undefined> {
  for await (const items of incoming) yield* items;
}
