import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { checkAgent, checkServer } from '../../command/check-sides.ts';
import { questionsOf } from '../../random/questions.ts';
import { FIXTURE, fixtureAtChunk } from '../agents.test-support.ts';
import { readPromptMap } from '../prompt-map.ts';
import { testAgent } from '../test-agent.ts';
import { generateSessions } from './generate-session.ts';

const good = fileURLToPath(FIXTURE);
const random = { count: 60, seed: 1 };

/** The shortest session in which the host sets a model. */
async function sessionWithModel(): Promise<string[]> {
  const sessions = generateSessions(random, await readPromptMap('fixture'));
  return sessions
    .map(({ id, steps }) => ({ id, text: JSON.stringify(steps) }))
    .filter(({ text }) => text.includes('"set_model"') && !text.includes('"pause"'))
    .toSorted((a, b) => a.text.length - b.text.length)
    .slice(0, 1)
    .map(({ id }) => id);
}

test('a request that only one agent refuses is one question, and no failure', async () => {
  const refuses = fixtureAtChunk(
    'set_model',
    `chunk = Buffer.from(String(chunk).replaceAll('set_model', 'no_model'));`,
  );
  const include = await sessionWithModel();
  const results = await testAgent({
    agent: { command: refuses, args: [] },
    compareWith: { command: good, args: [] },
    cases: [],
    random: { ...random, include },
  });
  expect(results).toMatchObject([{ verdict: 'passed' }]);
  expect(questionsOf(results)).toContainEqual({
    fact: 'answer to set_model',
    tested: 'error unsupported_request',
    other: 'success',
    count: expect.any(Number),
    sessions: 1,
    example: include[0],
  });
});

test('an agent answers no request differently from itself', async () => {
  const agent = { command: good, args: [] };
  const include = await sessionWithModel();
  const [result] = await testAgent({ agent, compareWith: agent, cases: [], random: { ...random, include } });
  expect(result).toMatchObject({ verdict: 'passed', differences: expect.any(Array) });
  expect(result?.differences?.filter(({ fact }) => fact.startsWith('answer to'))).toEqual([]);
});

test('a comparison needs generated sessions, an agent or a host, and a program that starts', async () => {
  const texts: string[] = [];
  const io = { stdout: { write: () => true }, stderr: { write: (text: string) => texts.push(text) } };
  const command = [process.execPath, good];
  expect(await checkAgent({ command, compareWith: 'other' }, io)).toBe(2);
  expect(texts.join('')).toContain('--compare-with compares generated sessions: give their number with --random.');
  expect(await checkServer({ url: 'http://127.0.0.1:1', tokens: '', random: 1, compareWith: 'other' }, io)).toBe(2);
  expect(texts.join('')).toContain('The sessions of a server cannot be compared with another server');
  expect(await checkAgent({ command, random: 1, compareWith: 'no-such-program' }, io)).toBe(4);
  expect(texts.join('')).toContain('no-such-program cannot be started: the program was not found.');
});
