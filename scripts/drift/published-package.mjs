// Finds the declarations of a package: in a version on npm, in a tarball, or in a folder.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { filesOfTarball } from './tarball.mjs';

export const PACKAGE = '@anthropic-ai/claude-agent-sdk';
const cache = fileURLToPath(new URL('../../node_modules/.cache/drift', import.meta.url));
const VERSION = /^\d+\.\d+\.\d+(-[\w.-]+)?$/;
const TAG = /^[a-z][\w-]*$/i;

/** @typedef {{ version: string, claudeCodeVersion: string | undefined, files: ReadonlyMap<string, string> }} PublishedPackage */

/** Thrown if the command cannot do what the user asked for. The message says why. */
export class DriftError extends Error {
  /** @override */
  name = 'DriftError';
}

/**
 * Reads the declarations and the package.json of a published package. Runs no code of the package.
 * @param {string} from a version or a tag that npm knows, or the path of a tarball or of a folder
 * @returns {PublishedPackage}
 */
export function readPackage(from) {
  const files = filesOf(from);
  const manifest = files.get('package.json');
  if (manifest === undefined) throw new DriftError(`${from} has no package.json, so it is not a package.`);
  const { version, claudeCodeVersion } = JSON.parse(manifest);
  if (typeof version !== 'string') throw new DriftError(`The package.json of ${from} names no version.`);
  return {
    version,
    claudeCodeVersion: typeof claudeCodeVersion === 'string' ? claudeCodeVersion : undefined,
    files,
  };
}

/** @param {string} from @returns {ReadonlyMap<string, string>} */
function filesOf(from) {
  const found = statSync(from, { throwIfNoEntry: false });
  if (found?.isDirectory()) return filesOfFolder(from);
  if (found !== undefined) return filesOfFile(from);
  if (!VERSION.test(from) && !TAG.test(from))
    throw new DriftError(`${from} is neither a file, nor a folder, nor a version.`);
  return filesOfFile(download(from));
}

/** @param {string} folder */
function filesOfFolder(folder) {
  const names = readdirSync(folder).filter(isWanted);
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** @param {string} path */
function filesOfFile(path) {
  try {
    return filesOfTarball(readFileSync(path), isWanted);
  } catch (error) {
    throw new DriftError(`${path} cannot be read as a tarball: ${String(error)}`, { cause: error });
  }
}

/** @param {string} path */
function isWanted(path) {
  return path === 'package.json' || /^[^/]+\.d\.[cm]?ts$/.test(path);
}

/**
 * The path of the tarball of a version. npm fetches the tarball if it is missing; `npm pack` of a registry package runs none of its scripts.
 * @param {string} version
 */
function download(version) {
  const kept = join(cache, `${version}.tgz`);
  // A tag may point to another version tomorrow, so only a version is taken from the cache.
  if (VERSION.test(version) && statSync(kept, { throwIfNoEntry: false }) !== undefined) return kept;
  mkdirSync(cache, { recursive: true });
  const scratch = mkdtempSync(join(cache, 'part-'));
  const flags = ['--ignore-scripts', '--loglevel=error', '--fetch-retries=1', '--fetch-retry-mintimeout=1000'];
  const { status, stderr, error } = spawnSync(
    'npm',
    ['pack', `${PACKAGE}@${version}`, '--pack-destination', scratch, ...flags],
    { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], shell: process.platform === 'win32' },
  );
  const [tarball] = readdirSync(scratch);
  if (status === 0 && tarball !== undefined) renameSync(join(scratch, tarball), kept);
  rmSync(scratch, { recursive: true });
  if (status === 0 && tarball !== undefined) return kept;
  throw new DriftError(`npm cannot fetch ${PACKAGE}@${version}: ${error?.message ?? stderr.trim()}`);
}
