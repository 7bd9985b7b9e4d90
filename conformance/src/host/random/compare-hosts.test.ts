import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { questionsOf } from '../../random/questions.ts';
import { testHost } from '../test-host.ts';

const ADAPTER = fileURLToPath(new URL('../../../fixtures/host-adapter.mjs', import.meta.url));
const fixture = (fault: string) => ['env', `SJP_FIXTURE_FAULT=${fault}`, process.execPath, ADAPTER];
const random = { count: 1, seed: 303 };

test('a request that only one host accepts is one question, and no failure', async () => {
  const results = await testHost({
    command: fixture(''),
    compareWith: fixture('accepts-unknown-requests'),
    adapter: true,
    cases: [],
    random,
  });
  expect(results).toMatchObject([{ verdict: 'passed' }]);
  const questions = questionsOf(results);
  expect(questions).toMatchObject([{ fact: 'answer to can_use_tool', other: '{}', sessions: 1 }]);
  expect(JSON.parse(questions[0]?.tested ?? '')).toEqual({ toolUseID: expect.any(String) });
});

test('a host does nothing differently from itself', async () => {
  const [command, compareWith] = [fixture(''), fixture('')];
  const results = await testHost({ command, compareWith, adapter: true, cases: [], random });
  expect(results).toMatchObject([{ verdict: 'passed', differences: [] }]);
});
