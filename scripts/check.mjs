// Runs every check that is not part of `npm test`: node scripts/check.mjs [NAME…]. Without a name, it runs all checks.
// Two checks run at a time, and then the benchmarks alone. A failed check does not stop the others. The output of a failed check is printed after its
// line.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'check-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** Work that several checks need. Each part runs once, when the first check asks for it. */
const build = once(() => run('node scripts/pnpm.mjs exec turbo run build'));
const packed = once(async () => {
  await built();
  await run(`node scripts/pack.mjs ${scratch}`);
  return readdirSync(scratch).map((name) => join(scratch, name));
});

/** @type {Record<string, () => Promise<unknown>>} */
const checks = {
  types: () => run('node scripts/pnpm.mjs exec turbo run typecheck --continue=always && tsc'),
  build,
  format: () => run('biome format --error-on-warnings --reporter=summary .'),
  lint: () => run('oxlint --type-aware --deny-warnings --report-unused-disable-directives'),
  // Limits on the size of files, functions, entries and groups of files.
  house: () => run('node scripts/house.mjs --check'),
  // Words that this repository does not use.
  words: () => run('node scripts/words.mjs'),
  layering: () => run('vitest run --root tests layering'),
  knip: () => run('knip'),
  faults: () => run('node scripts/faults.mjs --list'),
  size: () => built().then(() => run('node scripts/size.mjs')),
  bundle: () => built().then(() => run('vitest run --root tests bundle')),
  // Compares the public names of each package with the accepted reports.
  api: () => built().then(() => run('node scripts/api-report.mjs')),
  // The benchmarks whose results do not change on a busy machine.
  gates: () => built().then(() => run('node bench/run.mjs gates')),
  // The form of the specification, and the files that are generated from it.
  spec: () => built().then(() => run('node scripts/spec.mjs --check')),
  publint: () => eachPacked((tarball) => run(`publint --strict ${tarball}`)),
  // The command line tools have no entry to import, so they have no types to check.
  attw: () =>
    eachPacked((tarball) =>
      tarball.endsWith('proto-cli.tgz') ? undefined : run(`attw --profile esm-only ${tarball}`),
    ),
  changeset: () => run('node scripts/changeset.mjs'),
};

/** Builds for another check. Only the check `build` prints the log of a failed build. */
async function built() {
  await build().catch(() => {
    throw new Error('The build failed.');
  });
}

/** @param {(tarball: string) => unknown} check */
async function eachPacked(check) {
  for (const tarball of await packed()) await check(tarball);
}

/**
 * Runs a command in the root folder. Rejects with the output of the command if the command fails.
 * @param {string} command
 */
function run(command) {
  const PATH = `${join(root, 'node_modules/.bin')}${delimiter}${process.env['PATH']}`;
  const child = spawn(command, {
    cwd: root,
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH, NO_COLOR: '1' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve(undefined) : reject(new Error(`$ ${command}\n${output}`))));
  });
}

/**
 * @template T
 * @param {() => Promise<T>} action
 */
function once(action) {
  /** @type {Promise<T> | undefined} */
  let result;
  return () => (result ??= action());
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(checks, name));
if (unknown.length > 0) {
  console.error(`no such check: ${unknown.join(', ')}. There are: ${Object.keys(checks).join(', ')}`);
  process.exit(2);
}

const chosen = Object.entries(checks).filter(([name]) => asked.length === 0 || asked.includes(name));
/** @type {string[]} */
const failed = [];
/** @param {typeof chosen} waiting */
async function work(waiting) {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, check] = next;
    const start = performance.now();
    const error = await check().then(
      () => undefined,
      (reason) => reason,
    );
    const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(5);
    console.log(`${error === undefined ? 'ok    ' : 'FAILED'} ${name.padEnd(9)} ${seconds} s`);
    if (error === undefined) continue;
    failed.push(name);
    console.log(error.message);
  }
}
const others = chosen.filter(([name]) => name !== 'gates');
await Promise.all([work(others), work(others)]);
// While another check runs, a benchmark has only half of the memory bandwidth.
await work(chosen.filter(([name]) => name === 'gates'));

if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
