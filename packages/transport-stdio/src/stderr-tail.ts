const DEFAULT_MAX_STDERR_TAIL_BYTES = 16 * 1024;

export class StderrTail {
  readonly #maxBytes: number;
  #kept = Buffer.alloc(0);

  constructor(maxBytes: number = DEFAULT_MAX_STDERR_TAIL_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** The kept bytes as text. The text begins with a whole character. */
  get text(): string {
    let start = 0;
    while (start < 3 && ((this.#kept[start] ?? 0) & 0xc0) === 0x80) start++;
    return this.#kept.toString('utf8', start);
  }

  push(chunk: Uint8Array): void {
    const all = Buffer.concat([this.#kept, chunk]);
    // Copied, because a slice of a buffer keeps the whole buffer in memory.
    this.#kept = Buffer.from(all.subarray(Math.max(0, all.length - this.#maxBytes)));
  }
}
