import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { followLinks } from '@proto/permissions/node';
import type { ClientFiles } from '../agent/agent-connection.ts';

/** Reads and writes the files of one folder. Files outside of the folder are refused, also if a link in the folder leads to them. */
export function createClientFiles(folder: string): ClientFiles {
  return {
    async read(path, { line = 1, limit }) {
      const text = await readFile(await placeIn(folder, path), 'utf8');
      const from = Math.max(line - 1, 0);
      if (from === 0 && limit === undefined) return text;
      const lines = text.split('\n');
      return lines.slice(from, limit === undefined ? undefined : from + limit).join('\n');
    },
    async write(path, text) {
      const place = await placeIn(folder, path);
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, text);
    },
  };
}

/** The path without links. Rejects if it is outside of the folder. */
export async function placeIn(folder: string, path: string): Promise<string> {
  const place = await followLinks(resolve(folder, path));
  const below = relative(await followLinks(folder), place);
  if (below.split(sep)[0] === '..' || isAbsolute(below))
    throw new Error(`The file ${path} is outside of the folder ${folder}.`);
  return place;
}
