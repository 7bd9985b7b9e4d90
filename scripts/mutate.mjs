// Makes small changes to a copy of the sources, one at a time, and prints the changes that no test notices:
// node scripts/mutate.mjs [SUBJECT | FILE | FILE:LINE]… [--wide] [--every N] [--list]. Without a name it changes
// all subjects. Runs the tests near a file; with --wide also every test of the package that loads the file. --every N makes each Nth change, as a
// sample. CI does not run it: it runs vitest hundreds of times, and a change that survives needs to be examined, but is not a failure. See
// docs/mutation.md.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { copyWorkspace } from './faults/workspace-copy.mjs';
import { mutantsOf, mutate } from './mutate/mutants.mjs';
import { reachingTests } from './mutate/reaching-tests.mjs';
import { SUBJECTS } from './mutate/subjects.mjs';

/** @typedef {import('./mutate/mutants.mjs').Mutant} Mutant */
/** @typedef {{ killed: number, hung: number, survived: number }} Score */

const root = fileURLToPath(new URL('..', import.meta.url));
// Ends the tests without a mutant if they never finish.
const UNMUTATED_LIMIT_MS = 300_000;
// Added to three times the duration of the tests, as the machine may be busy.
const SPARE_MS = 4000;

const { values: options, positionals } = parseArgs({
  options: { list: { type: 'boolean' }, wide: { type: 'boolean' }, every: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const every = Number(options.every);
if (!Number.isInteger(every) || every < 1) {
  console.error(`--every takes a whole number from 1 on, not ${options.every}`);
  process.exit(2);
}
if (options.list) {
  for (const [name, files] of SUBJECTS) console.log(`${name}\n  ${files.join('\n  ')}`);
  process.exit();
}
const asked = (positionals.length > 0 ? positionals : [...SUBJECTS.keys()]).flatMap(
  (name) => SUBJECTS.get(name) ?? name,
);
const targets = asked.map((name) => {
  const [, file = '', line] = /^(.*?)(?::(\d+))?$/.exec(name) ?? [];
  const path = relative(root, join(process.cwd(), file));
  const known = existsSync(join(root, file)) ? file : path;
  if (!existsSync(join(root, known)) || !known.endsWith('.ts')) {
    console.error(`neither a subject nor a file: ${name}; --list shows the subjects`);
    process.exit(2);
  }
  return { path: known, line: line === undefined ? undefined : Number(line) };
});

/**
 * Tries the mutants of one file, or of one line.
 * @param {string} copy
 * @param {{ readonly path: string, readonly line: number | undefined }} target
 * @returns {Promise<Score>}
 */
async function tryOut(copy, { path, line }) {
  const text = readFileSync(join(root, path), 'utf8');
  const mutants = mutantsOf(text)
    .filter((mutant) => line === undefined || mutant.line === line)
    .filter((_, index) => index % every === 0);
  /** @type {ReturnType<typeof reachingTests>} */
  const runs = [];
  /** @type {number[]} How long each run of tests takes without a change. */
  const took = [];
  for (const run of reachingTests(copy, path, options.wide === true)) {
    const start = performance.now();
    const outcome = await run(UNMUTATED_LIMIT_MS);
    if (outcome === 'passed') {
      runs.push(run);
      took.push(performance.now() - start);
      // One reason is a test that reads a file that is not in the copy.
    } else console.log(`${path}: leaves out the tests, because they fail without any change: ${outcome}`);
  }
  if (runs.length === 0) throw new Error(`no tests reach ${path}`);
  const seconds = took.map((ms) => `${(ms / 1000).toFixed(1)} s`);
  console.log(`${path}: ${mutants.length} mutants, the tests take ${seconds.join(', ')}`);
  const limits = took.map((ms) => 3 * ms + SPARE_MS);
  const score = { killed: 0, hung: 0, survived: 0 };
  for (const mutant of mutants) {
    writeFileSync(join(copy, path), mutate(text, mutant));
    const end = await fateOf(runs, limits);
    score[end]++;
    if (end === 'survived') console.log(describe(path, text, mutant));
  }
  writeFileSync(join(copy, path), text);
  return score;
}

/**
 * @param {ReturnType<typeof reachingTests>} runs
 * @param {readonly number[]} limits
 * @returns {Promise<keyof Score>}
 */
async function fateOf(runs, limits) {
  for (const [index, run] of runs.entries()) {
    const outcome = await run(/** @type {number} */ (limits[index]));
    if (outcome === 'hung') return 'hung';
    if (outcome !== 'passed') return 'killed';
  }
  return 'survived';
}

/** @param {string} path @param {string} text @param {Mutant} mutant */
function describe(path, text, { start, end, becomes, line }) {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const column = start - from + 1;
  const piece = text.slice(start, end).replace(/\s+/g, ' ');
  return `survived ${path}:${line}:${column}  ${piece}  ->  ${becomes === ';' ? '(removed)' : becomes}`;
}

const copy = copyWorkspace(root);
/** @type {[string, Score][]} */
const scores = [];
for (const target of targets) scores.push([target.path, await tryOut(copy, target)]);

for (const [path, { killed, hung, survived }] of scores) {
  const found = killed + hung;
  const share = ((100 * found) / Math.max(found + survived, 1)).toFixed(1);
  console.log(`${path}: ${found} of ${found + survived} found (${share} %), ${hung} of them by the time limit`);
}
