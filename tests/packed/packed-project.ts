/** A user's project, into which npm has installed the packages as they are published. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFolders } from '../workspace.ts';

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url));
/** The temporary folder with everything; the tests remove it at the end. */
export const scratch = mkdtempSync(join(tmpdir(), 'packed-'));
/** The folder of the project. */
export const project = join(scratch, 'project');
const tarballs = join(scratch, 'tarballs');

/** The published packages and their folders. */
export const packages = packageFolders()
  .map((path) => ({ folder: join(root, path), ...readJson(join(root, path, 'package.json')) }))
  .filter((manifest) => manifest.private !== true);

// For an entry with many modules, some of them are enough.
const MODULES = ['messages', 'control/requests', 'minimal-schemas'];

/** Every name that can be imported, such as `@proto/core/framing`. */
export const entries = packages.flatMap(({ name, exports = {} }) =>
  Object.keys(exports)
    .filter((entry) => !entry.endsWith('.json'))
    .flatMap((entry) => (entry.endsWith('/*') ? MODULES.map((module) => entry.replace('*', module)) : entry))
    .map((entry) => name + entry.slice(1)),
);

/** The entries that do not need Node. */
export const neutral = entries.filter((entry) =>
  /^@proto\/core\b|^@proto\/(host|agent|recording|permissions|reference-agent|adapters|transport-websocket)$/.test(
    entry,
  ),
);

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function readJson(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
}

/** Runs a program in the project and returns its output. Throws an error with the output if the program fails. */
export function run(program: string, ...args: readonly string[]): string {
  try {
    return execFileSync(program, args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (cause) {
    const { stdout, stderr } = cause as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`);
  }
}

/** Writes a file of the project. */
export function write(name: string, text: string): void {
  writeFileSync(join(project, name), text);
}

/** Returns a program that imports all these entries. */
export function imports(names: readonly string[]): string {
  const lines = names.map((entry, n) => `import * as m${n} from '${entry}';`).join('\n');
  return `${lines}\nexport default [${names.map((_, n) => `m${n}`).join(', ')}];\n`;
}

/** Packs the packages and installs them. */
export function install(): void {
  mkdirSync(project, { recursive: true });
  write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  run(process.execPath, join(root, 'scripts/pack.mjs'), tarballs);
  const own = readdirSync(tarballs).map((name) => join(tarballs, name));
  // npm does not fetch any packages: the dependencies are the copies in the workspace.
  const others = packages.flatMap(({ folder, dependencies = {} }) =>
    Object.keys(dependencies)
      .filter((name) => !name.startsWith('@proto/'))
      .map((name) => realpathSync(join(folder, 'node_modules', name))),
  );
  const quiet = ['--offline', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  run('npm', 'install', ...quiet, ...own, ...new Set(others));
  // A user's project has our peer dependencies and the types of Node.
  mkdirSync(join(project, 'node_modules/@types'), { recursive: true });
  const peers = packages.flatMap(({ folder, peerDependencies = {} }) =>
    Object.keys(peerDependencies).map((name) => [name, join(folder, 'node_modules', name)] as const),
  );
  for (const [name, path] of new Map([...peers, ['@types/node', join(root, 'node_modules/@types/node')]])) {
    // A peer of one package may be a dependency of another package, and is then already present.
    if (existsSync(join(project, 'node_modules', name))) continue;
    symlinkSync(realpathSync(path), join(project, 'node_modules', name));
  }
  // npm would link the command of a peer dependency, too.
  symlinkSync('../vitest/vitest.mjs', join(project, 'node_modules/.bin/vitest'));
}
