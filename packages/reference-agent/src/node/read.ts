import { open, stat } from 'node:fs/promises';
import { readResult } from '../tools/results.ts';
import { textOf, type Tool } from '../tools/tool.ts';
import { realPathOf } from './paths.ts';

/** The largest file that is read: what is read goes onto the wire, twice. */
export const DEFAULT_MAX_FILE_BYTES = 256 * 1024;

/** `Read`: the text of a file, relative to the working directory. */
export function createRead(cwd: string, maxFileBytes: number): Tool {
  const pathOf = (input: Readonly<Record<string, unknown>>) => realPathOf(textOf(input, 'file_path'), cwd);
  return {
    name: 'Read',
    effect: 'reads',
    pathOf,
    async run(input) {
      const path = await pathOf(input);
      const stats = await stat(path);
      // Ahead of opening it: a pipe or a device has no end, and may have no beginning, that could be waited for.
      if (!stats.isFile()) throw new Error(`${path} is no file.`);
      if (stats.size > maxFileBytes)
        throw new Error(`${path} has ${stats.size} bytes; at most ${maxFileBytes} are read.`);
      await using file = await open(path);
      const { buffer, bytesRead } = await file.read({ buffer: new Uint8Array(maxFileBytes), position: 0 });
      return readResult(path, new TextDecoder().decode(buffer.subarray(0, bytesRead)));
    },
  };
}
