/** How much of what a child wrote on stderr is kept, in bytes. */
export const DEFAULT_MAX_STDERR_TAIL_BYTES = 16 * 1024;

/** The last of a byte stream, in bounded memory. */
export interface StderrTail {
  push(chunk: Uint8Array): void;
  /** What is kept, as text; it begins with a whole character. */
  text(): string;
}

export function createStderrTail(maxBytes: number = DEFAULT_MAX_STDERR_TAIL_BYTES): StderrTail {
  let kept = Buffer.alloc(0);
  return {
    push(chunk) {
      const all = Buffer.concat([kept, chunk]);
      // A copy, because a part of a buffer keeps the whole.
      kept = Buffer.from(all.subarray(Math.max(0, all.length - maxBytes)));
    },
    text() {
      let start = 0;
      while (start < 3 && ((kept[start] ?? 0) & 0xc0) === 0x80) start++;
      return kept.toString('utf8', start);
    },
  };
}
