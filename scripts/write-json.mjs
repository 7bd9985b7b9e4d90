import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Writes a JSON file of the repository in the layout of the formatter, so that the format check passes.
 * @param {URL} file
 * @param {unknown} value
 */
export function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
  const biome = fileURLToPath(new URL('../node_modules/.bin/biome', import.meta.url));
  execFileSync(biome, ['format', '--write', fileURLToPath(file)], { stdio: ['ignore', 'ignore', 'inherit'] });
}
