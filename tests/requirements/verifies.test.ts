/** Tests how a test cites what it decides, and which built programs it is seen to run. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifies } from '@proto/test-support/verifies';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const { readResults } = await import(new URL('../../scripts/requirements/results.mjs', import.meta.url).href);

describe('verifies', () => {
  const never = () => expect.unreachable();

  test.each(['CTL-999', 'CTL-07', 'ctl-7', 'QUEUE-99', 'queue-3', ''])(
    'throws at once for %j, which is in no list',
    (id) => {
      const message = `verifies: ${id} is neither in spec/ nor in docs/promises.md`;
      expect(() => verifies(id, 'x', never)).toThrow(message);
      expect(() => verifies.fails(id, 'x', never)).toThrow(message);
    },
  );

  test('throws if one of several ids is in no list', () => {
    expect(() => verifies(['CTL-7', 'CTL-999'], 'x', never)).toThrow('verifies: CTL-999 is neither');
  });

  test('throws if no id is given', () => {
    expect(() => verifies([], 'x', never)).toThrow('verifies: "x" cites no id');
  });
});

/** These tests run in another process of vitest: a test registered here would count as proof of its id. */
describe('a run of vitest', () => {
  const suite = `
    import { verifies } from ${JSON.stringify(fileURLToPath(new URL('../support/src/verifies.ts', import.meta.url)))};
    const fail = async () => { throw new Error('on purpose'); };
    verifies('CTL-7', 'passes', () => {});
    verifies(['CTL-1', 'QUEUE-3'], 'fails', fail);
    verifies('CTL-2', 'is skipped', () => {}, { skip: true });
    verifies.fails('CTL-3', 'fails as known', fail);
    verifies.fails('CTL-4', 'passes against knowledge', async () => {});
    verifies('CTL-5', 'hides its failure', fail, { fails: true });
    verifies('CTL-6', 'takes too long', () => new Promise(() => {}), { timeout: 10 });
  `;
  const programs = `
    import { spawn } from 'node:child_process';
    import { once } from 'node:events';
    import { afterAll, beforeAll, describe } from 'vitest';
    import { verifies } from ${JSON.stringify(fileURLToPath(new URL('../support/src/verifies.ts', import.meta.url)))};
    const run = (...args) => once(spawn(process.execPath, args), 'close');
    verifies('CTL-7', 'starts no process', () => {});
    verifies('CTL-7', 'starts another program', () => run('other/dist/main.js'));
    verifies('CTL-7', 'starts a built program', () => run('node_modules/@proto/cli/dist/main.js'));
    verifies('CTL-7', 'starts one by a link', () => run('./linked'));
    verifies('CTL-7', 'starts one by a shell', () => once(spawn('echo | node packages/cli/dist/shim.js', { shell: true }), 'close'));
    verifies('CTL-7', 'follows a test that started one', () => {});
    describe('with a program of a hook', () => {
      let child;
      beforeAll(() => { child = spawn(process.execPath, ['node_modules/@proto/cli/dist/main.js', 'stays']); });
      verifies('CTL-7', 'runs at the same time', () => {});
      verifies('CTL-7', 'sees its end', async () => { child.stdin.end(); await once(child, 'close'); });
      verifies('CTL-7', 'runs after its end', () => {});
      afterAll(() => child.kill());
    });
    describe.concurrent('at one time', () => {
      const { promise: started, resolve } = Promise.withResolvers?.() ?? withResolvers();
      verifies('CTL-7', 'waits for its neighbour', () => started);
      verifies('CTL-7', 'is the neighbour', async () => { const end = run('node_modules/@proto/cli/dist/main.js'); resolve(); await end; });
    });
    function withResolvers() { let resolve; return { promise: new Promise((r) => { resolve = r; }), resolve: () => resolve() }; }
  `;
  let root: string;
  let outcomes: readonly { readonly name: string; readonly programs: readonly string[] }[];

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
    ['[CTL-7] passes', 'passed'],
    ['[CTL-1][QUEUE-3] fails', 'failed'],
    ['[CTL-2] is skipped', 'skipped'],
    ['[CTL-3][known failure] fails as known', 'passed'],
    ['[CTL-4][known failure] passes against knowledge', 'failed'],
    ['[CTL-5] hides its failure', 'failed'],
    ['[CTL-6] takes too long', 'failed'],
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
    ['runs at the same time', ['main']],
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
