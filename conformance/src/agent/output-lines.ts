export interface OutputLine {
  readonly text: string;
  /** The number of bytes in the line, without the line feed. */
  readonly bytes: number;
  /** Whether a line feed ended the line. The last line may have no line feed. */
  readonly ended: boolean;
  /** Whether the bytes are valid UTF-8, without a byte order mark. */
  readonly isUtf8: boolean;
}

const LINE_FEED = 0x0a;

/** Splits output bytes into lines, at line feeds only. */
export class OutputLines {
  readonly #strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #lenient = new TextDecoder('utf-8', { ignoreBOM: true });
  #rest: Buffer[] = [];

  push(chunk: Buffer): OutputLine[] {
    const lines: OutputLine[] = [];
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
      this.#rest.push(chunk.subarray(from, at));
      lines.push(this.#line(true));
      from = at + 1;
    }
    if (from < chunk.length) this.#rest.push(chunk.subarray(from));
    return lines;
  }

  /** Call this at the end of the output. Returns the bytes after the last line feed. */
  end(): OutputLine[] {
    return this.#rest.length === 0 ? [] : [this.#line(false)];
  }

  #line(ended: boolean): OutputLine {
    const bytes = Buffer.concat(this.#rest);
    this.#rest = [];
    try {
      const text = this.#strict.decode(bytes);
      return { text, bytes: bytes.length, ended, isUtf8: !text.startsWith('\uFEFF') };
    } catch {
      return { text: this.#lenient.decode(bytes), bytes: bytes.length, ended, isUtf8: false };
    }
  }
}
