import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {import('./form.mjs').Problem} Problem */
/** @typedef {import('./form.mjs').Requirement} Requirement */

/** The model of the specification, and the modules that each break one of its rules. */
export const MODEL = 'resume.qnt';
export const FAULTS = 'resume-faults.qnt';

/** @typedef {{ name: string, line: number }} Invariant */
/** @typedef {{ name: string, breaks: string, ids: readonly string[], line: number }} Fault A module, the invariant that it breaks, and the rules that it leaves out. */
/** @typedef {{ invariants: readonly Invariant[], faults: readonly Fault[] }} Model */

const PROMISE = /^ *val promise: bool = and \{([^}]*)\}/;
const FAULT = /^\/\/\/ (\w+): .*\(([^()]*)\)\.$/;
const MODULE = /^module (\w+) /;

/** Reads the names of the model. `undefined`: the folder has no model. @param {string} folder @returns {Model | undefined} */
export function readModel(folder) {
  if (!existsSync(join(folder, MODEL))) return undefined;
  return { invariants: invariantsOf(linesOf(folder, MODEL)), faults: faultsOf(linesOf(folder, FAULTS)) };
}

/**
 * Checks that the model and the requirements name each other: each invariant is cited by a requirement with MUST, each cited name is an invariant, and
 * the rules that a faulty module leaves out cite the invariant that it breaks.
 * @param {Model | undefined} model
 * @param {readonly (Requirement & { file: string, line: number })[]} requirements
 * @returns {readonly Problem[]}
 */
export function checkModel(model, requirements) {
  const names = model?.invariants.map(({ name }) => name) ?? [];
  const cites = (/** @type {Requirement} */ { model: cited = [] }, /** @type {string} */ name) => cited.includes(name);
  const unknown = requirements.flatMap(({ file, line, model: cited = [] }) =>
    cited
      .filter((name) => !names.includes(name))
      .map((name) => ({ file, line, text: `The model has no invariant "${name}".` })),
  );
  if (model === undefined) return unknown;
  const binding = requirements.filter(({ level }) => level.startsWith('MUST'));
  const uncited = model.invariants.flatMap(({ name, line }) =>
    binding.some((requirement) => cites(requirement, name))
      ? []
      : [{ file: MODEL, line, text: `No requirement with MUST has the mark "Model: \`${name}\`."` }],
  );
  const loose = model.faults.flatMap(({ name, breaks, ids, line }) =>
    ids
      .filter((id) => !requirements.some((requirement) => requirement.id === id && cites(requirement, breaks)))
      .map((id) => ({ file: FAULTS, line, text: `${id}, which ${name} leaves out, does not cite "${breaks}".` })),
  );
  return [...unknown, ...uncited, ...loose];
}

/** @param {string} folder @param {string} file */
function linesOf(folder, file) {
  return readFileSync(join(folder, file), 'utf8').split('\n');
}

/** @param {readonly string[]} lines @returns {readonly Invariant[]} */
function invariantsOf(lines) {
  return lines.flatMap((text, at) => {
    const names = PROMISE.exec(text)?.[1]?.match(/\w+/g) ?? [];
    return names.map((name) => ({ name, line: at + 1 }));
  });
}

/** @param {readonly string[]} lines @returns {readonly Fault[]} */
function faultsOf(lines) {
  return lines.flatMap((text, at) => {
    const name = MODULE.exec(text)?.[1];
    const [, breaks, ids] = FAULT.exec(lines[at - 1] ?? '') ?? [];
    if (name === undefined) return [];
    if (breaks === undefined || ids === undefined)
      throw new Error(`${FAULTS}:${at + 1}: say before ${name} what it breaks.`);
    return [{ name, breaks, ids: ids.split(', '), line: at + 1 }];
  });
}
