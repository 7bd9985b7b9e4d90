import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestOutcome } from './coverage.ts';
import { readResults } from './results.ts';
import { verifies } from './verifies.ts';

describe('verifies', () => {
  const never = () => expect.unreachable();

  test.each(['S9-01', 'S2-1', 's2-11', 'R-99.1', ''])('throws at registration for %j, which is no row', (id) => {
    expect(() => verifies(id, 'x', never)).toThrow(`requirements: ${id} is no row`);
    expect(() => verifies.fails(id, 'x', never)).toThrow(`requirements: ${id} is no row`);
  });

  test('throws when one of several ids is no row', () => {
    expect(() => verifies(['S2-11', 'S9-01'], 'x', never)).toThrow('requirements: S9-01 is no row');
  });

  test('throws when no id is given', () => {
    expect(() => verifies([], 'x', never)).toThrow('requirements: "x" cites no row');
  });
});

/** What vitest makes of it is seen from outside: a test registered here would count as proof of its row. */
describe('a run of vitest', () => {
  const suite = `
    import { verifies } from ${JSON.stringify(fileURLToPath(new URL('./verifies.ts', import.meta.url)))};
    const fail = async () => { throw new Error('as told'); };
    verifies('S2-11', 'passes', () => {});
    verifies(['S2-12', 'R-5.1'], 'fails', fail);
    verifies('S2-13', 'is skipped', () => {}, { skip: true });
    verifies.fails('S2-14', 'fails as known', fail);
    verifies.fails('S2-20', 'passes against knowledge', async () => {});
    verifies('S2-62', 'hides its failure', fail, { fails: true });
    verifies('S2-63', 'takes too long', () => new Promise(() => {}), { timeout: 10 });
  `;
  let root: string;
  let outcomes: readonly TestOutcome[];

  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'requirements-')));
    writeFileSync(join(root, 'a.test.ts'), suite);
    await runVitest(root);
    outcomes = readResults(root, join(root, 'results.json'));
  }, 30_000);

  afterAll(() => {
    rmSync(root, { recursive: true });
  });

  test.each([
    ['[S2-11] passes', 'passed'],
    ['[S2-12][R-5.1] fails', 'failed'],
    ['[S2-13] is skipped', 'skipped'],
    ['[S2-14][known failure] fails as known', 'passed'],
    ['[S2-20][known failure] passes against knowledge', 'failed'],
    ['[S2-62] hides its failure', 'failed'],
    ['[S2-63] takes too long', 'failed'],
  ])('reports %s as %s', (name, status) => {
    expect(outcomes).toContainEqual({ name, file: 'a.test.ts', status });
  });
});

/** Resolves however the tests end: failures are wanted here. */
function runVitest(root: string): Promise<void> {
  const command = join(createRequire(import.meta.url).resolve('vitest/package.json'), '..', 'vitest.mjs');
  const args = [command, 'run', '--root', root, '--reporter=json', '--outputFile=results.json'];
  // The worker's own variables would make the inner run believe that it is a worker.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV$|TEST$)/.test(name)),
  );
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root, env }, () => resolve());
  });
}
