/** The text of a recording, or of plain lines of the protocol. Single lines are read again by their position. */
export interface RecordingText {
  /** Gives the bytes from the beginning. */
  bytes(): AsyncIterable<Uint8Array>;
  /** Reads `bytes` bytes from the position `offset`. */
  read(offset: number, bytes: number): Promise<Uint8Array>;
}

/** Creates the text of a recording that is in memory. */
export function recordingText(text: string): RecordingText {
  const all = new TextEncoder().encode(text);
  return {
    async *bytes() {
      yield all;
    },
    read: (offset, bytes) => Promise.resolve(all.subarray(offset, offset + bytes)),
  };
}
