import { closeSync, writeSync } from 'node:fs';
import type { Transport } from '@proto/core/transport';
import { recordTransport } from '@proto/recording';

/** Records what both sides of a bridge send, including secrets, as lines of a recording. */
export interface Tap {
  /** Wraps the transport of the agent. Use the result instead of that transport. */
  record(agent: Transport): Transport;
  /** Writes the remaining lines, and closes the file. */
  close(): void;
}

/** A tap that writes to a file. */
export interface FileTap extends Tap {
  /** Adds a line, which must end with LF. */
  write(line: string): void;
}

const FLUSH_LENGTH = 64 * 1024;

/**
 * Creates a tap that writes to an open file and closes the file at the end. If the file can no longer be written, for example on a full disk,
 * `onError` is called once, and the session continues without a recording.
 */
export function createTap(file: number, onError: (error: Error) => void): FileTap {
  let lines = '';
  let isBroken = false;
  let timer: NodeJS.Immediate | undefined;
  const flush = () => {
    clearImmediate(timer);
    timer = undefined;
    const text = lines;
    lines = '';
    try {
      if (!isBroken && text !== '') writeAll(file, Buffer.from(text));
    } catch (error) {
      isBroken = true;
      onError(error as Error);
    }
  };
  // Lines are written soon after they arrive, so that a burst does not fill the memory and a crash loses little.
  const write = (line: string) => {
    lines += line;
    if (lines.length > FLUSH_LENGTH) flush();
    else timer ??= setImmediate(flush);
  };
  return {
    record: (agent) => recordTransport(agent, { side: 'host', write, redactor: false }),
    write,
    close() {
      flush();
      closeSync(file);
    },
  };
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
