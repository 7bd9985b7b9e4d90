import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { questionsOf } from '../../random/questions.ts';
import { testHost } from '../test-host.ts';

const ADAPTER = fileURLToPath(new URL('../../../fixtures/host-adapter.mjs', import.meta.url));
const fixture = (fault: string) => ['env', `SJP_FIXTURE_FAULT=${fault}`, process.execPath, ADAPTER];
const random = { count: 3, seed: 303 };

test('a request that only one host accepts is one question, and no failure', async () => {
  const results = await testHost({
    command: fixture(''),
    compareWith: fixture('accepts-unknown-requests'),
    adapter: true,
    cases: [],
    random,
  });
  expect(results.map(({ verdict }) => verdict)).toEqual(['passed', 'passed', 'passed']);
  const question = { fact: 'answer to conformance_probe', tested: 'error', other: '{}' };
  expect(questionsOf(results)).toContainEqual(expect.objectContaining(question));
});

test('a host does nothing differently from itself', async () => {
  const [command, compareWith] = [fixture(''), fixture('')];
  const results = await testHost({ command, compareWith, adapter: true, cases: [], random });
  expect(results.map(({ differences }) => differences)).toEqual([[], [], []]);
});
