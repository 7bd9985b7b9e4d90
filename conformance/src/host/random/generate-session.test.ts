import { expect, test } from 'vitest';
import { stringify } from 'yaml';

import { compileCases } from '../../cases/compile-cases.ts';
import { loadSuite } from '../../cases/suite.ts';
import { generateHostSessions, isPlayable } from './generate-session.ts';

const ALL = new Set(
  'adapter messages open-input blocks permissions hooks servers elicitation dialogs interrupt set_model withdraw withdrawn close'.split(
    ' ',
  ),
);

test('a seed always results in the same sessions, and another seed in others', () => {
  const steps = (seed: number) =>
    generateHostSessions({ count: 50, seed }, ALL).map(({ start, steps: all }) => [start, all]);
  expect(steps(1)).toEqual(steps(1));
  expect(steps(1)).not.toEqual(steps(2));
  expect(new Set(steps(1).map((one) => JSON.stringify(one))).size).toBe(50);
});

test('every session can be written to a file of cases, and is complete', () => {
  const sessions = generateHostSessions({ count: 300, seed: 3 }, ALL);
  const shown = sessions.map(({ id, title, spec, start, steps }) => ({ id, title, spec, start, steps }));
  const text = stringify(shown, { aliasDuplicateObjects: false });
  const { cases, problems } = compileCases([{ side: 'host', text }], loadSuite().requirements);
  expect(problems).toEqual([]);
  expect(cases.map(({ steps }) => steps)).toEqual(sessions.map(({ steps }) => steps));
  expect(sessions.filter((entry) => !isPlayable(entry) && entry.steps.every(({ call }) => call !== 'close'))).toEqual(
    [],
  );
});

test('a shortened session without what the host must hand on, or without the last state, is not played', () => {
  const sessions = generateHostSessions({ count: 300, seed: 3 }, ALL);
  const without = (name: string, part: string, all = sessions) =>
    all.flatMap(({ start, steps }) => {
      const at = steps.findLastIndex((step) => name in step && JSON.stringify(step).includes(part));
      return at === -1 ? [] : [isPlayable({ start, steps: steps.toSpliced(at, 1) })];
    });
  const lastLines = without('say-text', 'The last line.');
  expect([lastLines.length > 0, new Set(lastLines)]).toEqual([true, new Set([false])]);
  const whole = sessions.filter(({ steps }) => steps.every((step) => !('exit' in step)));
  const states = without('say', '"state":"idle"', whole);
  expect([states.length > 0, new Set(states)]).toEqual([true, new Set([false])]);
});

test('sessions use every kind of operation', () => {
  const text = JSON.stringify(generateHostSessions({ count: 300, seed: 4 }, ALL));
  for (const subtype of ['can_use_tool', 'hook_callback', 'mcp_message', 'elicitation', 'request_user_dialog'])
    expect(text).toContain(`"subtype":"${subtype}"`);
  for (const type of ['control_cancel_request', 'control_response', 'keep_alive', 'hologram', 'stream_event'])
    expect(text).toContain(`"type":"${type}"`);
  for (const verb of ['answer-questions', 'withdraw', 'pieces', 'say-text', 'diagnostics', 'reads', 'exit', 'kill'])
    expect(text).toContain(`"${verb}":`);
  for (const method of ['prompt', 'interrupt', 'set_model', 'close']) expect(text).toContain(`"call":"${method}"`);
});

test('sessions use only the features that the host declares', () => {
  const sessions = generateHostSessions({ count: 200, seed: 5 }, new Set());
  expect(sessions.filter(({ start }) => start['open'] === true || JSON.stringify(start['options']) !== '{}')).toEqual(
    [],
  );
  const verbs = new Set(sessions.flatMap(({ steps }) => steps.flatMap((step) => Object.keys(step))));
  for (const verb of ['call', 'answer-questions', 'withdraw']) expect(verbs).not.toContain(verb);
});
