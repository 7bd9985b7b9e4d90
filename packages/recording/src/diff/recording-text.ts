/** The text of a recording or of plain protocol lines. A single line can be read again by its position. */
export interface RecordingText {
  /** Yields all bytes from the beginning. */
  bytes(): AsyncIterable<Uint8Array>;
  /** Reads `bytes` bytes, starting at the position `offset`. */
  read(offset: number, bytes: number): Promise<Uint8Array>;
}

/** Creates a `RecordingText` from text in memory. */
export function recordingText(text: string): RecordingText {
  const all = new TextEncoder().encode(text);
  return {
    async *bytes() {
      yield all;
    },
    read: (offset, bytes) => Promise.resolve(all.subarray(offset, offset + bytes)),
  };
}
