import { expect, test } from 'vitest';
import { stringify } from 'yaml';

import { compileCases } from '../../cases/compile-cases.ts';
import { loadSuite } from '../../cases/suite.ts';
import { readPromptMap } from '../prompt-map.ts';
import { generateSessions, isPlayable } from './generate-session.ts';

const prompts = await readPromptMap('fixture');

test('a seed always results in the same sessions, and another seed in others', () => {
  const steps = (seed: number) =>
    generateSessions({ count: 50, seed }, prompts).map(({ start, steps: all }) => [start, all]);
  expect(steps(1)).toEqual(steps(1));
  expect(steps(1)).not.toEqual(steps(2));
  expect(new Set(steps(1).map((one) => JSON.stringify(one))).size).toBe(50);
});

test('a session that is run alone is the same as in the whole run', () => {
  const id = 'agent/random/seed-1-session-7';
  const alone = generateSessions({ count: 50, seed: 1, include: [id] }, prompts);
  expect(alone).toEqual(generateSessions({ count: 50, seed: 1 }, prompts).filter((session) => session.id === id));
  expect(alone).toHaveLength(1);
});

test('every session can be written to a file of cases', () => {
  const sessions = generateSessions({ count: 100, seed: 3 }, prompts);
  const shown = sessions.map(({ id, title, spec, start, steps }) => ({ id, title, spec, start, steps }));
  const text = stringify(shown, { aliasDuplicateObjects: false });
  const { cases, problems } = compileCases([{ side: 'agent', text }], loadSuite().requirements);
  expect(problems).toEqual([]);
  expect(cases.map(({ steps }) => steps)).toEqual(sessions.map(({ steps }) => steps));
});

test('no session blocks the end of a turn for ever', () => {
  const sessions = generateSessions({ count: 300, seed: 5 }, prompts);
  expect(sessions.filter((session) => !isPlayable(session))).toEqual([]);
  const steps = [{ serve: { 'hook_callback/stop': { decision: 'block' } } }, { await: 'idle' }];
  expect(isPlayable({ steps })).toBe(false);
});

test('sessions use every kind of operation, and only prompts that the map has', () => {
  const text = JSON.stringify(generateSessions({ count: 300, seed: 4 }, { text: 'hello' }));
  for (const subtype of [
    'interrupt',
    'cancel_async_message',
    'set_permission_mode',
    'initialize',
    'conformance_no_such_request',
  ])
    expect(text.includes(`"subtype":"${subtype}"`), subtype).toBe(true);
  for (const word of ['stop-reading', 'close', 'signal', 'updatedPermissions', '$error', 'priority'])
    expect(text.includes(`"${word}"`), word).toBe(true);
  expect(text).toContain('${prompt.text}');
  expect(text).not.toMatch(/\$\{prompt\.(?!text\})/);
});
