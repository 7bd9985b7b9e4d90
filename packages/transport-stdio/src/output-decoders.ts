import {
  createLineDecoder,
  DEFAULT_MAX_LINE_BYTES,
  type Line,
  type LineDecoder,
  type LineDecoderOptions,
  parseLine,
} from '@proto/core/framing';

const SHOWN_LENGTH = 256;

/**
 * Creates a decoder that also reads messages that span several lines. Use this decoder for an agent that prints its messages with indentation, such
 * as a script that ends in `JSON.stringify(message, null, 2)` or `jq .`. For agents that follow the protocol, use the default decoder, which is
 * faster.
 *
 * A line that begins an object but is not a message is held until later lines close its brackets. All these lines then become one line. Held lines
 * are passed on unchanged if the next line is a message by itself, and at the end of the input. Held lines that are together longer than
 * `maxLineBytes` (default 64 MiB) become one `too-large` item.
 *
 * @example
 * ```ts
 * import { createMultilineDecoder, spawnAgent } from '@proto/transport-stdio';
 *
 * const transport = spawnAgent({ command: 'my-agent', createDecoder: createMultilineDecoder });
 * ```
 */
export function createMultilineDecoder(options: LineDecoderOptions = {}): Pick<LineDecoder, 'push' | 'end'> {
  const lines = createLineDecoder(options);
  const joiner = new Joiner(options.maxLineBytes || DEFAULT_MAX_LINE_BYTES);
  const joined = (cut: readonly Line[]) => cut.flatMap((line) => joiner.add(line));
  return {
    push: (chunk) => joined(lines.push(chunk)),
    end: () => [...joined(lines.end()), ...joiner.giveUp()],
  };
}

class Joiner {
  readonly #limit: number;
  #held = '';
  #bytes = 0;
  #brackets = new Brackets();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns the lines that are now complete. */
  add(line: Line): Line[] {
    if (typeof line !== 'string' || isMessage(line) || !this.#continues(line)) return [...this.giveUp(), line];
    // The line end is left out, because it may be in the middle of a string. JSON does not need line ends.
    this.#held += line;
    this.#bytes += Buffer.byteLength(line);
    this.#brackets.read(line);
    return this.#bytes <= this.#limit && this.#brackets.isOpen ? [] : this.giveUp();
  }

  /** Returns the held lines unchanged, because they are not a message or exceed the limit. */
  giveUp(): Line[] {
    const [held, bytes, limit] = [this.#held, this.#bytes, this.#limit];
    this.#held = '';
    this.#bytes = 0;
    this.#brackets = new Brackets();
    if (bytes <= limit) return held === '' ? [] : [held];
    // Joined from an array, because a slice would keep the whole text in memory.
    const head = Array.from(held.slice(0, 2 * SHOWN_LENGTH))
      .slice(0, SHOWN_LENGTH)
      .join('');
    return [{ kind: 'too-large', bytes, limit, head }];
  }

  #continues(line: string): boolean {
    return this.#held !== '' || line.trimStart().startsWith('{');
  }
}

/** A message is not indented, but an object inside a message of several lines is. */
function isMessage(line: string): boolean {
  return line.startsWith('{') && parseLine(line).message !== undefined;
}

/** Counts the open brackets of a JSON text that arrives in pieces. Parsing the whole text after each piece would take quadratic time. */
class Brackets {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  get isOpen(): boolean {
    return this.#depth > 0;
  }

  read(text: string): void {
    for (const character of text) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isInString && character === '\\') this.#isEscaped = true;
      else if (character === '"') this.#isInString = !this.#isInString;
      else if (this.#isInString) continue;
      else if (character === '{' || character === '[') this.#depth++;
      else if (character === '}' || character === ']') this.#depth--;
    }
  }
}

/**
 * Creates a decoder for programs that do not write lines of JSON. Every piece of output becomes an item with unchanged text. If a character is split
 * between two pieces, its first bytes are kept until the remaining bytes arrive. `read()` of such an item fails. Pass this function as
 * `createDecoder` of a stdio transport.
 */
export function createRawDecoder(): Pick<LineDecoder, 'push' | 'end'> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const pieceOf = (text: string) => (text === '' ? [] : [text]);
  return {
    push: (chunk) => pieceOf(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })),
    end: () => pieceOf(decoder.decode()),
  };
}
