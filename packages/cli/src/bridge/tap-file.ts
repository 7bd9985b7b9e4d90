import { closeSync, writeSync } from 'node:fs';
import { openPrivateFile } from '../private-file.ts';

/** Keeps what both sides say, line by line and as it is: `{"seq":…,"t":…,"dir":"host->agent","line":…}`, with `t` in milliseconds. */
export interface TapFile {
  write(dir: 'host->agent' | 'agent->host', line: string, session?: number): void;
  /** Everything is in the file. */
  close(): void;
}

const FLUSH_LENGTH = 64 * 1024;

/**
 * Begins a file that its owner alone can read. Throws where it cannot be written; of a disk that is full later `onError` is told, once,
 * and the session goes on without it.
 */
export function openTapFile(path: string, onError: (error: Error) => void): TapFile {
  const file = openPrivateFile(path);
  const start = performance.now();
  let seq = 0;
  let lines = '';
  let broken = false;
  let timer: NodeJS.Immediate | undefined;
  // At once, so that a burst cannot fill the memory and a crash loses little.
  const flush = () => {
    clearImmediate(timer);
    timer = undefined;
    const text = lines;
    lines = '';
    try {
      if (!broken && text !== '') writeAll(file, Buffer.from(text));
    } catch (error) {
      broken = true;
      onError(error as Error);
    }
  };
  return {
    write(dir, line, session) {
      const t = Math.round((performance.now() - start) * 100) / 100;
      lines += `${JSON.stringify({ seq: seq++, t, dir, ...(session !== undefined && { session }), line })}\n`;
      if (lines.length > FLUSH_LENGTH) flush();
      else timer ??= setImmediate(flush);
    },
    close() {
      flush();
      closeSync(file);
    },
  };
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
