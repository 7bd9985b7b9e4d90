import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeResult } from '../tools/results.ts';
import { textOf, type Tool } from '../tools/tool.ts';
import { isMissing, realPathOf } from './paths.ts';

/** `Write`: makes a file, and the folders it is in, relative to the working directory. */
export function createWrite(cwd: string, maxFileBytes: number): Tool {
  const pathOf = (input: Readonly<Record<string, unknown>>) => realPathOf(textOf(input, 'file_path'), cwd);
  return {
    name: 'Write',
    effect: 'writes',
    pathOf,
    async run(input) {
      const path = await pathOf(input);
      const text = textOf(input, 'content');
      const bytes = Buffer.byteLength(text);
      if (bytes > maxFileBytes) throw new Error(`The text has ${bytes} bytes; at most ${maxFileBytes} are written.`);
      const before = await textBefore(path, maxFileBytes);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      return writeResult(path, text, before);
    },
  };
}

/** What the file held; nothing of one that is too large to be told. */
async function textBefore(path: string, maxFileBytes: number): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    return size > maxFileBytes ? '' : await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
