import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import type { Case } from '../cases/case-schema.ts';
import { compileCases } from '../cases/compile-cases.ts';
import { loadSuite } from '../cases/suite.ts';
import { generateHostSessions } from './random/generate-session.ts';
import { testHost } from './test-host.ts';
import { smallHost, tryProgram } from './programs.test-support.ts';

const ADAPTER = fileURLToPath(new URL('../../fixtures/host-adapter.mjs', import.meta.url));

const testFixture = (fault: string, options: Partial<Parameters<typeof testHost>[0]>) =>
  testHost({
    command: ['env', `SJP_FIXTURE_FAULT=${fault}`, process.execPath, ADAPTER],
    adapter: true,
    cases: [],
    ...options,
  });

test('generated sessions find a fault, and leave the shortest session that shows it as a file of cases', {
  timeout: 60_000,
}, async () => {
  const traceFolder = mkdtempSync(join(tmpdir(), 'sjp-random-'));
  const [found] = await testFixture('forgets-the-id-of-denials', { random: { count: 1, seed: 354 }, traceFolder });
  expect(found).toMatchObject({ id: 'host/random/seed-354-session-1', verdict: 'warned' });
  const text = readFileSync(found?.shrunk ?? '', 'utf8');
  expect(text).toMatch(/^# PRM-11: .*\n- id: host\/random\//);
  const { cases, problems } = compileCases([{ side: 'host', text }], loadSuite().requirements);
  expect(problems).toEqual([]);
  // One question is enough.
  expect(JSON.stringify(cases[0]?.steps).match(/"subtype":"can_use_tool"/g)).toHaveLength(1);
  expect(await testFixture('forgets-the-id-of-denials', { cases })).toMatchObject([{ failures: [{ spec: 'PRM-11' }] }]);
  expect(await testFixture('', { cases })).toMatchObject([{ verdict: 'passed' }]);
});

test('a host without adapter passes sessions that need nothing but its features', { timeout: 60_000 }, async () => {
  // This host fails at unusual lines, such as a blank line, and does not read the answer to `initialize`.
  const isPlain = ({ steps }: Case) => steps.every((step) => !('say-text' in step || step['as'] === 'refused'));
  const cases = generateHostSessions({ count: 12, seed: 1 }, new Set()).filter(isPlain);
  const results = await tryProgram(smallHost(), cases, { timeoutScale: 1 });
  // This host ends the input after its result, so the suite cannot ask it anything afterwards.
  expect(results.filter(({ verdict }) => !['passed', 'not-declared'].includes(verdict))).toEqual([]);
  expect(results).toContainEqual(expect.objectContaining({ verdict: 'passed' }));
});
