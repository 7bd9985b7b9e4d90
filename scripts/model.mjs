// Checks the model of the specification: pnpm model [--seed N] [--samples N]. Checks the types of spec/resume.qnt, and searches random runs for a
// state that violates the promise, once with a fixed seed and once with a random seed that is printed. Requires that the runs find a violation for
// each module of spec/resume-faults.qnt. Exit code: 0 if all checks succeed, 1 if not, 2 for a wrong command.
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

import { inParallel } from './in-parallel.mjs';
import { FOLDER, quint } from './model/quint.mjs';
import { FAULTS, MODEL, readModel } from './spec/model.mjs';

/** @typedef {{ name: string, file: string, seed: number, samples: number, breaks?: string }} Trial A module, and the invariant that must not hold in it. */

const FIXED_SEED = 7;
const SAMPLES = 1500;
const STEPS = 50;

/** @param {readonly string[]} args @returns {Promise<number>} the exit code */
async function run(args) {
  const asked = optionsOf(args);
  if (asked === undefined) return 2;
  const model = readModel(FOLDER);
  if (model === undefined) throw new Error(`${MODEL} is missing`);
  for (const file of [MODEL, FAULTS]) {
    const { code, text } = await quint(['typecheck', file]);
    if (code !== 0) return refused(`${file} has a wrong type`, text);
  }
  /** @type {readonly Trial[]} */
  const trials = [
    ...[FIXED_SEED, asked.seed].map((seed) => ({ name: 'correct', file: MODEL, seed, samples: asked.samples })),
    ...model.faults.map(({ name, breaks }) => ({ name, file: FAULTS, seed: FIXED_SEED, samples: SAMPLES, breaks })),
  ];
  const invariants = model.invariants.map(({ name }) => name);
  const failures = await inParallel(trials, availableParallelism(), (trial) => tried(trial, invariants));
  return failures.some((hasFailed) => hasFailed) ? 1 : 0;
}

/** @param {readonly string[]} args */
function optionsOf(args) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { seed: { type: 'string' }, samples: { type: 'string' } },
    });
    const [seed, samples] = [Number(values.seed ?? randomInt(1, 2 ** 31)), Number(values.samples ?? SAMPLES)];
    if (!Number.isSafeInteger(seed) || seed < 1) throw new Error('--seed must be a whole number above 0');
    if (!Number.isSafeInteger(samples) || samples < 1) throw new Error('--samples must be a whole number above 0');
    return { seed, samples };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return undefined;
  }
}

/** Whether a trial has failed. @param {Trial} trial @param {readonly string[]} invariants */
async function tried({ name, file, seed, samples, breaks }, invariants) {
  const limits = [
    '--max-samples',
    `${samples}`,
    '--max-steps',
    `${STEPS}`,
    '--seed',
    `${seed}`,
    '--verbosity',
    breaks === undefined ? '2' : '1',
  ];
  const which = ['--main', name, '--invariants', ...invariants];
  const { code, text } = await quint(['run', file, '--backend', 'typescript', ...which, ...limits]);
  const found = [...text.matchAll(/❌ (\w+)/g)].map(([, invariant = '']) => invariant);
  if (breaks === undefined) {
    if (code !== 0) return refused(`${name}, seed ${seed}: ${found.join(', ') || 'Quint has failed'}`, text) === 1;
    console.log(`${name}: ${samples} runs of ${STEPS} steps, seed ${seed}: the promise holds`);
    return false;
  }
  if (!found.includes(breaks))
    return refused(`${name}: ${samples} runs do not find that ${breaks} is broken`, text) === 1;
  console.log(`${name}: ${breaks} is broken, and found`);
  return false;
}

/** @param {string} failure @param {string} details @returns {1} */
function refused(failure, details) {
  console.error(`${failure}\n${details.trim().replaceAll(/^/gm, '    ')}`);
  return 1;
}

process.exitCode = await run(process.argv.slice(2));
