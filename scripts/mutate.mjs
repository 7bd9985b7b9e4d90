// Changes sources in small ways, one at a time and in a copy, and tells which changes no test notices:
// node scripts/mutate.mjs [SUBJECT | FILE | FILE:LINE]… [--wide] [--every N] [--list]. Without a name it tries all
// subjects. It runs the tests near a file; with --wide also all tests of the package that load the file. --every N tries each Nth change, as a
// sample. CI does not run this: it takes hundreds of runs of vitest, and a survivor is a question rather than a failure. See docs/mutation.md.
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
// Nothing is measured by it but loops without an end.
const UNMUTATED_LIMIT_MS = 300_000;
// Beside three times what the tests take: machines do other things, too.
const SPARE_MS = 4000;

const { values: options, positionals } = parseArgs({
  options: { list: { type: 'boolean' }, wide: { type: 'boolean' }, every: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const every = Number(options.every);
if (!Number.isInteger(every) || every < 1) {
  console.error(`--every wants a whole number from 1 on, not ${options.every}`);
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
 * Tries the mutants of one file, or of one of its lines.
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
      // Such as one that looks at a file which the copy has not.
    } else console.log(`${path}: left out are tests that do not pass without a change: ${outcome}`);
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
