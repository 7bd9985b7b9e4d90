import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
  const programs = `
    import { spawn } from 'node:child_process';
    import { once } from 'node:events';
    import { afterAll, beforeAll, describe } from 'vitest';
    import { verifies } from ${JSON.stringify(fileURLToPath(new URL('./verifies.ts', import.meta.url)))};
    const run = (...args) => once(spawn(process.execPath, args), 'close');
    verifies('S2-11', 'starts no process', () => {});
    verifies('S2-11', 'starts another program', () => run('other/dist/main.js'));
    verifies('S2-11', 'starts a built program', () => run('node_modules/@proto/cli/dist/main.js'));
    verifies('S2-11', 'starts one by a link', () => run('./linked'));
    verifies('S2-11', 'starts one by a shell', () => once(spawn('echo | node packages/cli/dist/shim.js', { shell: true }), 'close'));
    verifies('S2-11', 'follows a test that started one', () => {});
    describe('with a program of a hook', () => {
      let child;
      beforeAll(() => { child = spawn(process.execPath, ['node_modules/@proto/cli/dist/main.js', 'stays']); });
      verifies('S2-11', 'runs beside it', () => {});
      verifies('S2-11', 'sees its end', async () => { child.stdin.end(); await once(child, 'close'); });
      verifies('S2-11', 'runs after its end', () => {});
      afterAll(() => child.kill());
    });
    describe.concurrent('at one time', () => {
      const { promise: started, resolve } = Promise.withResolvers?.() ?? withResolvers();
      verifies('S2-11', 'waits for its neighbour', () => started);
      verifies('S2-11', 'is the neighbour', async () => { const end = run('node_modules/@proto/cli/dist/main.js'); resolve(); await end; });
    });
    function withResolvers() { let resolve; return { promise: new Promise((r) => { resolve = r; }), resolve: () => resolve() }; }
  `;
  let root: string;
  let outcomes: readonly TestOutcome[];

  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'requirements-')));
    writeFileSync(join(root, 'a.test.ts'), suite);
    writeFileSync(join(root, 'b.test.ts'), programs);
    const built = join(root, 'node_modules/@proto/cli/dist');
    mkdirSync(built, { recursive: true });
    writeFileSync(join(built, 'main.js'), 'if (process.argv[2] === "stays") process.stdin.resume();');
    symlinkSync(join(built, 'main.js'), join(root, 'linked'));
    await runVitest(root);
    outcomes = readResults(root, join(root, 'results.json'));
  }, 30_000);

  afterAll(() => {
    rmSync(root, { recursive: true });
  });

  test.each([
    ['[S2-11 order/request-never-overtakes] passes', 'passed'],
    ['[S2-12 request/own-id][R-5.1 framing/linear-time] fails', 'failed'],
    ['[S2-13 request/abort-through-queue] is skipped', 'skipped'],
    ['[S2-14 request/late-answer-ignored][known failure] fails as known', 'passed'],
    ['[S2-20 request/error-answer-rejects][known failure] passes against knowledge', 'failed'],
    ['[S2-62 line/separators-escaped] hides its failure', 'failed'],
    ['[S2-63 line/every-writer-escapes] takes too long', 'failed'],
  ])('reports %s as %s', (name, status) => {
    expect(outcomes).toContainEqual({ name, file: 'a.test.ts', status, programs: [] });
  });

  test.each([
    ['starts no process', []],
    ['starts another program', []],
    ['starts a built program', ['main']],
    ['starts one by a link', ['main']],
    ['starts one by a shell', ['shim']],
    ['follows a test that started one', []],
    ['runs beside it', ['main']],
    ['sees its end', ['main']],
    ['runs after its end', []],
    ['waits for its neighbour', []],
    ['is the neighbour', ['main']],
  ])('notes for a test that %s the built programs %j', (sentence, expected) => {
    const found = outcomes.find(({ name }) => name.endsWith(`] ${sentence}`));
    expect(found).toMatchObject({ file: 'b.test.ts', status: 'passed', programs: expected });
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
