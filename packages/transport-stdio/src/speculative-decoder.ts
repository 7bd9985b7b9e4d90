import {
  createLineDecoder,
  DEFAULT_MAX_LINE_BYTES,
  type Line,
  type LineDecoder,
  type LineDecoderOptions,
  parseLine,
} from '@proto/core/framing';

/** What of a message above the limit is shown, in characters. */
const HEAD_LENGTH = 256;

/**
 * For agents that break a message over several lines: what begins an object and is no message waits for the lines behind it, and is one
 * line with them when its brackets are closed. It is handed out as it came where it cannot be continued: when the next line is a
 * message by itself, and at the end. Above the limit together, lines are one `too-large` item. Every line is parsed once more than
 * without it. For `createDecoder` of a stdio transport.
 */
export function createSpeculativeDecoder(options: LineDecoderOptions = {}): Pick<LineDecoder, 'push' | 'end'> {
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

  /** What can be handed out now that this line came. */
  add(line: Line): Line[] {
    if (typeof line !== 'string' || isMessage(line) || !this.#continues(line)) return [...this.giveUp(), line];
    // Without its line end: that may have come in the middle of a string, and JSON needs none anywhere.
    this.#held += line;
    this.#bytes += Buffer.byteLength(line);
    this.#brackets.read(line);
    return this.#bytes <= this.#limit && this.#brackets.isOpen ? [] : this.giveUp();
  }

  /** What waits, which is no message, or none that is taken. */
  giveUp(): Line[] {
    const [held, bytes, limit] = [this.#held, this.#bytes, this.#limit];
    this.#held = '';
    this.#bytes = 0;
    this.#brackets = new Brackets();
    if (bytes <= limit) return held === '' ? [] : [held];
    // Through an array: a slice would keep the whole alive.
    const head = Array.from(held.slice(0, 2 * HEAD_LENGTH))
      .slice(0, HEAD_LENGTH)
      .join('');
    return [{ kind: 'too-large', bytes, limit, head }];
  }

  #continues(line: string): boolean {
    return this.#held !== '' || line.trimStart().startsWith('{');
  }
}

/** Whether it stands at the margin and by itself: objects within one that is laid out over lines are indented. */
function isMessage(line: string): boolean {
  return line.startsWith('{') && parseLine(line).message !== undefined;
}

/** Which brackets of a JSON text are open, read once however many pieces it comes in: to parse all of it again at each would be quadratic. */
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
