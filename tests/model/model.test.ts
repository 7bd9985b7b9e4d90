/** Tries the model of the specification, as `pnpm model` does, with fewer runs of the module in which nothing is broken. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../scripts/model.mjs', import.meta.url));
const FAULTS = new URL('../../spec/resume-faults.qnt', import.meta.url);
const TIMEOUT_MS = 400_000;

test(
  'the promise holds in random runs of the model, and runs find each rule that is left out',
  () => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [SCRIPT, '--samples', '100'], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const faulty = [...readFileSync(FAULTS, 'utf8').matchAll(/^module (\w+)/gm)].map(([, name]) => name);
    expect(faulty.length).toBeGreaterThanOrEqual(8);
    const found = [...stdout.matchAll(/^(\w+): \w+ is broken, and found$/gm)].map(([, name]) => name);
    expect(new Set(found)).toEqual(new Set(faulty));
    expect(stdout.match(/^correct: 100 runs of 50 steps, seed \d+: the promise holds$/gm)).toHaveLength(2);
  },
  TIMEOUT_MS,
);
