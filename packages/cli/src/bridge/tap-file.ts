import { closeSync, writeSync } from 'node:fs';
import { join, parse } from 'node:path';
import type { Transport } from '@proto/core/transport';
import { recordTransport } from '@proto/recording';
import { openPrivateFile } from '../private-file.ts';

/** Records what both sides say, line by line and as it is, as `sjp run --record` does. */
export interface TapFile {
  /** The agent, to use in place of the given one. */
  record(agent: Transport): Transport;
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
  const write = (line: string) => {
    lines += line;
    if (lines.length > FLUSH_LENGTH) flush();
    else timer ??= setImmediate(flush);
  };
  return {
    record: (agent) => recordTransport(agent, { side: 'host', write, redactor: false }),
    close() {
      flush();
      closeSync(file);
    },
  };
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** The file of one client of several: `wire.2.jsonl` for the second one, where `wire.jsonl` was named. */
export function tapFileOf(path: string, session: number): string {
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}.${session}${ext}`);
}
