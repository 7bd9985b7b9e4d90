import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

// What is built or left by earlier runs; links into the store stay links.
const LEFT_OUT = new Set(['dist', '.turbo', '.vitest', '.vite', '.vite-temp']);

/**
 * Copies the packages and what runs them, with the links between them, so that what is planted in the copy is what its tests run. Gives its folder.
 * @param {string} root
 */
export function copyWorkspace(root) {
  const folder = mkdtempSync(join(tmpdir(), 'faults-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const part of ['packages', 'tests', 'scripts']) {
    cpSync(join(root, part), join(folder, part), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !LEFT_OUT.has(basename(path)),
    });
  }
  for (const name of readdirSync(root)) {
    if (/^(tsconfig.*\.json|vitest\..*\.ts|package\.json|node_modules|docs)$/.test(name)) {
      symlinkSync(join(root, name), join(folder, name));
    }
  }
  return folder;
}
