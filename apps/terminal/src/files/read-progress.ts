import { stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';

/** Where progress is shown. Progress is written only to a terminal, so that logs and pipes stay unchanged. */
export interface ProgressOptions {
  /** The name of the program in texts for users, such as `sjp validate`. */
  readonly name: string;
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** The bytes of the whole file; undefined for a stream of unknown length. */
  readonly totalBytes: number | undefined;
  /** Returns the time in milliseconds from a clock that never goes backwards. Default: `performance.now`. */
  readonly now?: () => number;
}

// Most files are read faster than this.
const SHOW_AFTER_MS = 1000;
const SHOW_EVERY_MS = 250;
const ERASE_LINE = '\r\u001b[K';

/** Shows how much of a long file has been read, in one line of a terminal that is replaced four times a second. Shows nothing in the first second. */
export class ReadProgress {
  readonly #options: ProgressOptions;
  readonly #now: () => number;
  readonly #startedAt: number;
  #shownAt = Number.NEGATIVE_INFINITY;
  #isShown = false;
  #bytes = 0;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#startedAt = this.#now();
  }

  /** Passes on the bytes of a source, and shows how many were read. Clears the line after the last byte. */
  async *count(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for await (const chunk of source) {
        this.#bytes += chunk.length;
        this.#show();
        yield chunk;
      }
    } finally {
      this.clear();
    }
  }

  /** Clears the line, so that another text can be written to the same terminal. */
  clear(): void {
    if (this.#isShown) this.#options.stderr.write(ERASE_LINE);
    this.#isShown = false;
  }

  #show(): void {
    const { name, stderr, totalBytes } = this.#options;
    const now = this.#now();
    const ms = now - this.#startedAt;
    if (stderr.isTTY !== true || ms < SHOW_AFTER_MS || now - this.#shownAt < SHOW_EVERY_MS) return;
    this.#shownAt = now;
    this.#isShown = true;
    stderr.write(`${ERASE_LINE}${name}: ${progressText(this.#bytes, totalBytes, ms)}`);
  }
}

/** Returns the size of a file in bytes; undefined for stdin, for a pipe, and for a file whose size cannot be read. */
export async function sizeOf(file: string): Promise<number | undefined> {
  if (file === '-') return undefined;
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() === true ? found.size : undefined;
}

function progressText(bytes: number, total: number | undefined, ms: number): string {
  if (total === undefined || total < bytes) return `${megabytes(bytes)} MB read`;
  const secondsLeft = Math.ceil(((total - bytes) / bytes) * (ms / 1000));
  const percent = Math.floor((bytes / total) * 100);
  return `${megabytes(bytes)} of ${megabytes(total)} MB read, ${percent} %, about ${secondsLeft} s left`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
