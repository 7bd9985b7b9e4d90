import { mkdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { followLinks } from '@proto/permissions/node';
import { readResult, writeResult } from '../tools/results.ts';
import { stringMember, type Tool } from '../tools/tool.ts';

/** The largest file that is read, in bytes: 256 KiB. The text of such a file is sent twice: to the model, and to hosts as `tool_use_result`. */
export const DEFAULT_MAX_FILE_BYTES = 256 * 1024;

/** Creates `Read`, which returns the text of a file. The path is relative to the working directory. */
export function createRead(cwd: string, maxFileBytes: number): Tool {
  const pathOf = (input: Readonly<Record<string, unknown>>) => realPathOf(stringMember(input, 'file_path'), cwd);
  return {
    name: 'Read',
    effect: 'reads',
    pathOf,
    async run(input) {
      const path = await pathOf(input);
      const stats = await stat(path);
      // This is checked before the file is opened, because opening or reading a pipe or a device may block forever.
      if (!stats.isFile()) throw new Error(`${path} is not a file.`);
      if (stats.size > maxFileBytes)
        throw new Error(`${path} has ${stats.size} bytes; the limit for reading is ${maxFileBytes}.`);
      await using file = await open(path);
      const { buffer, bytesRead } = await file.read({ buffer: new Uint8Array(maxFileBytes), position: 0 });
      return readResult(path, new TextDecoder().decode(buffer.subarray(0, bytesRead)));
    },
  };
}

/** Creates `Write`, which writes a file and creates its parent folders. The path is relative to the working directory. */
export function createWrite(cwd: string, maxFileBytes: number): Tool {
  const pathOf = (input: Readonly<Record<string, unknown>>) => realPathOf(stringMember(input, 'file_path'), cwd);
  return {
    name: 'Write',
    effect: 'writes',
    pathOf,
    async run(input) {
      const path = await pathOf(input);
      const text = stringMember(input, 'content');
      const bytes = Buffer.byteLength(text);
      if (bytes > maxFileBytes)
        throw new Error(`The text has ${bytes} bytes; the limit for writing is ${maxFileBytes}.`);
      const before = await textBefore(path, maxFileBytes);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      return writeResult(path, text, before);
    },
  };
}

/** Returns the text of a file before a write: empty if the file is too large to be reported, and undefined if it is missing. */
async function textBefore(path: string, maxFileBytes: number): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    return size > maxFileBytes ? '' : await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Returns the real path of a file, which need not exist. */
function realPathOf(path: string, cwd: string): Promise<string> {
  return followLinks(isAbsolute(path) ? path : `${cwd}/${path}`);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
