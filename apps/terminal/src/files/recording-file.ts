import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { RecordingText } from '@proto/recording/diff';

/** A recording in a file, whose lines can be read again one by one. */
export interface RecordingFile extends RecordingText, AsyncDisposable {
  /** The size of the file in bytes. */
  readonly totalBytes: number;
}

/**
 * Opens a recording. The file `-` is stdin. A source that cannot be read twice, such as a pipe, is kept in memory.
 * @throws the system error, with its `code`, if the file cannot be opened
 */
export async function openRecording(file: string, stdin: Readable): Promise<RecordingFile> {
  if (file === '-') return inMemory(await buffer(stdin));
  const handle = await open(file);
  const stats = await handle.stat();
  if (!stats.isFile()) return inMemory(await buffer(handle.createReadStream()));
  return {
    totalBytes: stats.size,
    bytes: () => handle.createReadStream({ start: 0, autoClose: false }),
    async read(offset, bytes) {
      const { buffer: line, bytesRead } = await handle.read({ buffer: Buffer.alloc(bytes), position: offset });
      return line.subarray(0, bytesRead);
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

function inMemory(all: Uint8Array): RecordingFile {
  return {
    totalBytes: all.length,
    async *bytes() {
      yield all;
    },
    read: (offset, bytes) => Promise.resolve(all.subarray(offset, offset + bytes)),
    async [Symbol.asyncDispose]() {},
  };
}
