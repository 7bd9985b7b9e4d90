// Writes runs of the model of the specification as cases for servers: node scripts/model-cases.mjs [--seed N] [--traces N] [--cases N]. The result is
// conformance/cases/server/model.yaml. Takes a minute. Exit code: 0, or 2 for a wrong command.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Document, isSeq, visit } from 'yaml';

import { MODEL } from './spec/model.mjs';
import { caseOfTrace } from './model/case-of-trace.mjs';
import { chosen, describeCase } from './model/choose.mjs';
import { tracesOf } from './model/traces.mjs';

const FILE = new URL('../conformance/cases/server/model.yaml', import.meta.url);
const DEFAULTS = { seed: 7, traces: 200, cases: 18 };
const STEPS = 45;

/** @param {readonly string[]} args @returns {Promise<number>} the exit code */
async function run(args) {
  const asked = optionsOf(args);
  if (asked === undefined) return 2;
  const { seed, traces, cases } = asked;
  const options = { file: MODEL, module: 'correct', step: 'steady', steps: STEPS, seed, traces };
  const drafts = (await tracesOf(options)).flatMap((moments) => caseOfTrace(moments) ?? []);
  const written = chosen(drafts, { cases }).map((draft, at) => ({
    id: `server/model/run-${String(at + 1).padStart(2, '0')}`,
    ...describeCase(draft, at + 1),
    needs: ['sse', 'worker'],
  }));
  const head = ` Written by scripts/model-cases.mjs --seed ${seed} --traces ${traces} --cases ${cases} from spec/resume.qnt. Do not edit.`;
  writeFileSync(FILE, yamlOf(written, head));
  console.log(`${written.length} cases, ${written.reduce((sum, { steps }) => sum + steps.length, 0)} steps`);
  return 0;
}

/** The cases, with each step on a separate line. @param {readonly object[]} cases @param {string} head */
function yamlOf(cases, head) {
  const document = new Document(structuredClone(cases));
  document.commentBefore = head;
  visit(document, {
    Pair: (_, { key, value }) => {
      if (!isSeq(value)) return;
      const isSteps = String(key) === 'steps';
      if (!isSteps) value.flow = true;
      for (const item of isSteps ? value.items : []) Object.assign(item ?? {}, { flow: true });
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

/** @param {readonly string[]} args @returns {typeof DEFAULTS | undefined} */
function optionsOf(args) {
  const option = /** @type {const} */ ({ type: 'string' });
  try {
    const { values } = parseArgs({ args: [...args], options: { seed: option, traces: option, cases: option } });
    const read = (/** @type {keyof typeof DEFAULTS} */ name) => {
      const number = Number(values[name] ?? DEFAULTS[name]);
      if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} must be a whole number above 0`);
      return number;
    };
    return { seed: read('seed'), traces: read('traces'), cases: read('cases') };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return undefined;
  }
}

process.exitCode = await run(process.argv.slice(2));
