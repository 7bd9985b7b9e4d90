import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { packageFolders } from '../workspace.mjs';

// Results of builds and of earlier runs are left out. Links into the store stay links.
const LEFT_OUT = new Set(['dist', '.turbo', '.vitest', '.vite', '.vite-temp']);

/**
 * Copies the packages, their tests and the links between them, so that the tests of the copy run a fault that is planted there. If a test starts a
 * program by the path of its built file, the program of the workspace runs, and not the program of the copy. Returns the folder of the copy.
 * @param {string} root
 */
export function copyWorkspace(root) {
  const folder = mkdtempSync(join(tmpdir(), 'faults-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const packages = packageFolders(root);
  // The whole top-level folder that contains the package, including the links between its packages.
  for (const part of new Set([...packages.map((path) => path.split('/')[0] ?? path), 'tests', 'scripts'])) {
    cpSync(join(root, part), join(folder, part), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !LEFT_OUT.has(basename(path)),
    });
  }
  for (const path of packages) {
    const built = join(path, 'dist');
    if (existsSync(join(root, built))) symlinkSync(join(root, built), join(folder, built));
  }
  for (const name of readdirSync(root)) {
    if (/^(tsconfig.*\.json|vitest\..*\.ts|package\.json|pnpm-workspace\.yaml|node_modules|docs|spec)$/.test(name)) {
      symlinkSync(join(root, name), join(folder, name));
    }
  }
  return folder;
}
