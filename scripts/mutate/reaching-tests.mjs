import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { runVitest } from '../faults/run-tests.mjs';
import { NEAR_TESTS } from './subjects.mjs';

/** @typedef {import('../faults/run-tests.mjs').Outcome} Outcome */

/**
 * The tests that reach a file, the nearest first, because the nearest tests find most mutants: tests with the name of the file, then tests that
 * import the file, or else tests of the same folder. With `wide`, also every test of the package that loads the file.
 * @param {string} root
 * @param {string} path The path of the file, relative to the root.
 * @param {boolean} wide
 * @returns {((limitMs: number) => Promise<Outcome>)[]}
 */
export function reachingTests(root, path, wide) {
  const [folder, inner] = splitAtPackage(path);
  const cwd = join(root, folder);
  const name = basename(path, '.ts');
  const tests = readdirSync(join(cwd, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('src', file));
  /** @param {readonly string[]} names */
  const named = (names) => tests.filter((file) => names.includes(basename(file, '.test.ts')));
  const own = named([name]);
  const others = tests.filter((file) => !own.includes(file));
  // A file that imports only types does not run the imported file.
  const isImported = new RegExp(`^(import (?!type )|} from ).*/${name}\\.ts'`, 'm');
  const importing = others.filter(
    (file) => basename(file).startsWith(name) || isImported.test(readFileSync(join(cwd, file), 'utf8')),
  );
  const inSameFolder = others.filter((file) => dirname(file) === dirname(inner));
  const given = NEAR_TESTS.get(path);
  const near = given ? named(given) : own.length + importing.length > 0 ? importing : inSameFolder;
  const commands = [own, near].filter((files) => files.length > 0).map((files) => ['run', ...files]);
  // If no test is near, only the other tests of the package that load the file can reach it.
  if (wide || commands.length === 0) commands.push(['related', inner, '--run']);
  return commands.map((command) => (limitMs) => runVitest(root, folder, [...command, '--maxWorkers=1'], limitMs));
}

/**
 * The package folder of a file, and the path of the file in that folder.
 * @param {string} path
 * @returns {[string, string]}
 */
function splitAtPackage(path) {
  const [, folder, inner] = /^((?:packages|server|apps)\/[^/]+|conformance)\/(src\/.+\.ts)$/.exec(path) ?? [];
  if (folder === undefined || inner === undefined) throw new Error(`${path} is not a source file of a package`);
  return [folder, inner];
}
