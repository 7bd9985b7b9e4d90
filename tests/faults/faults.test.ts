/** A sample of `pnpm faults`, and what it says of a fault that does not fit. Those of remote sessions have a step of their own in CI. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/faults.mjs', import.meta.url));
const { withFault } = await import(new URL('../../scripts/faults/fault.mjs', import.meta.url).href);

test('a fault that is planted is found by a test that cites its row', async () => {
  const only = ['--only', 'framing/separators-raw', '--only', 'framing/throws-at-null'];
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--json', ...only]);
  expect(JSON.parse(stdout)).toMatchObject({ planted: 2, found: 2, unfound: [], bare: [] });
}, 180_000);

const fault = { id: 'a/b', file: 'x.ts', line: 'return 1;', becomes: 'return 2;', rows: ['S0-01'] };

test('it takes the place of its line, whatever the indentation', () => {
  expect(withFault('a\n  return 1;\nb', fault)).toBe('a\nreturn 2;\nb');
});

test.each(['return 1;\nreturn 1;', 'return 3;', 'return 1; // one'])(
  'it is stale where its line is not as it was: %j',
  (text) => {
    expect(() => withFault(text, fault)).toThrow('a/b is stale');
  },
);
