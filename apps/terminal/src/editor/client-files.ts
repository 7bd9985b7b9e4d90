import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { resolveInside } from '@proto/permissions/node';
import type { ClientFiles } from '@proto/acp/node';

/** Reads and writes the files of one folder. Files outside of the folder are refused, also if a link in the folder leads to them. */
export function createClientFiles(folder: string): ClientFiles {
  return {
    async read(path, { line = 1, limit }) {
      const text = await readFile(await resolveInside(folder, path), 'utf8');
      const from = Math.max(line - 1, 0);
      if (from === 0 && limit === undefined) return text;
      const lines = text.split('\n');
      return lines.slice(from, limit === undefined ? undefined : from + limit).join('\n');
    },
    async write(path, text) {
      const place = await resolveInside(folder, path);
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, text);
    },
  };
}
