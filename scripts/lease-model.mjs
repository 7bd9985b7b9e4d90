// Checks the model of several nodes: pnpm model:lease [--all]. Runs Spin through every state of spec/lease.pml, and requires that Spin finds a
// violation if any protection is left out. Without --all, the session is claimed twice. With --all, the session is claimed three times, which takes
// minutes and 3 GB of memory. Needs `spin` and `cc` on the PATH. Exit code: 0 if all checks succeed, 1 if not, 2 for a wrong command.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const MODEL = fileURLToPath(new URL('../spec/lease.pml', import.meta.url));
const execute = promisify(execFile);

/** @typedef {{ states: number, depth: number, broken: string | undefined }} Found What Spin has found: `broken` is the assertion that did not hold. */

/** Goes through all states of the model. @param {string} folder An empty folder. @param {readonly string[]} definitions @returns {Promise<Found>} */
async function explore(folder, definitions) {
  await execute('spin', ['-a', ...definitions, MODEL], { cwd: folder });
  await execute('cc', ['-O2', '-DSAFETY', '-DCOLLAPSE', '-o', 'pan', 'pan.c'], { cwd: folder });
  const { stdout } = await execute('./pan', ['-E', '-m1000000'], { cwd: folder, maxBuffer: 1e7 });
  const [, states] = /(\d+(?:\.\d+)?(?:e\+\d+)?) states, stored/.exec(stdout) ?? [];
  const [, depth] = /depth reached (\d+)/.exec(stdout) ?? [];
  if (
    states === undefined ||
    depth === undefined ||
    /max search depth too small|out of memory|memory limit/.test(stdout)
  )
    throw new Error(`Spin has not gone through all states:\n${stdout}`);
  return {
    states: Number(states),
    depth: Number(depth),
    broken: /assertion violated (.+?) \(at depth/.exec(stdout)?.[1],
  };
}

/** The protections that the model can leave out. @returns {Promise<string[]>} */
async function faultsOf() {
  const text = await readFile(MODEL, 'utf8');
  return [...new Set(Array.from(text.matchAll(/^#ifn?def ([A-Z_]+)$/gm), ([, name = '']) => name))].filter(
    (name) => name !== 'CLAIMS' && name !== 'LEASES',
  );
}

/** @param {readonly string[]} definitions */
async function inFolder(definitions) {
  const folder = await mkdtemp(join(tmpdir(), 'lease-model-'));
  try {
    return await explore(folder, definitions);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @param {readonly string[]} args @returns {Promise<number>} the exit code */
async function run(args) {
  let all;
  try {
    ({ all } = parseArgs({ args: [...args], options: { all: { type: 'boolean', default: false } } }).values);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
  const claims = all ? 3 : 2;
  const { states, depth, broken } = await inFolder([`-DCLAIMS=${claims}`]);
  console.log(
    `correct: ${broken === undefined ? 'every promise holds' : `${broken} does not hold`} in ${states} states, up to ${depth} steps`,
  );
  let isRight = broken === undefined;
  for (const fault of await faultsOf()) {
    const found = await inFolder([`-D${fault}`]);
    isRight &&= found.broken !== undefined;
    console.log(`${fault}: ${found.broken === undefined ? 'NOT found' : `found, ${found.broken}`}`);
  }
  return isRight ? 0 : 1;
}

process.exitCode = await run(process.argv.slice(2));
