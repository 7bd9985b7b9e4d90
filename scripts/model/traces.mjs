import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { quint } from './quint.mjs';

/** @typedef {Readonly<Record<string, any>>} Data A value of the model as JSON: sets and lists are arrays, maps are objects. */
/** @typedef {{ action: string, picks: Data, state: Data }} Moment An action, its choices, and the state after the action. */

/**
 * Lets Quint write runs of the model.
 * @param {{ file: string, module: string, step: string, seed: number, traces: number, steps: number }} options
 * @returns {Promise<readonly (readonly Moment[])[]>}
 */
export async function tracesOf({ file, module, step, seed, traces, steps }) {
  const folder = mkdtempSync(join(tmpdir(), 'model-'));
  try {
    const limits = [
      '--max-samples',
      `${traces}`,
      '--n-traces',
      `${traces}`,
      '--max-steps',
      `${steps}`,
      '--seed',
      `${seed}`,
    ];
    const output = ['--mbt', '--out-itf', join(folder, '{seq}.itf.json'), '--verbosity', '0'];
    const { code, text } = await quint([
      'run',
      file,
      '--backend',
      'typescript',
      '--main',
      module,
      '--step',
      step,
      ...limits,
      ...output,
    ]);
    if (code !== 0) throw new Error(`Quint has failed:\n${text}`);
    const names = readdirSync(folder).toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
    return names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).states.map(momentOf));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {Data} state @returns {Moment} */
function momentOf(state) {
  const variables = Object.entries(state).filter(([name]) => name.includes('::') && !name.startsWith('mbt::'));
  const picks = Object.entries(state['mbt::nondetPicks']).filter(([, { tag }]) => tag === 'Some');
  return {
    action: state['mbt::actionTaken'],
    picks: Object.fromEntries(picks.map(([name, { value }]) => [name, plain(value)])),
    state: Object.fromEntries(variables.map(([name, value]) => [name.split('::').at(-1) ?? '', plain(value)])),
  };
}

/** A value of the Informal Trace Format as plain JSON. @param {any} value @returns {any} */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if ('#bigint' in value) return Number(value['#bigint']);
  if ('#set' in value) return value['#set'].map(plain);
  if ('#tup' in value) return value['#tup'].map(plain);
  if ('#map' in value) return Object.fromEntries(value['#map'].map(plain));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
