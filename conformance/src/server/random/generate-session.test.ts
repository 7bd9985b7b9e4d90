import { expect, test } from 'vitest';
import { stringify } from 'yaml';

import { compileCases } from '../../cases/compile-cases.ts';
import { loadSuite } from '../../cases/suite.ts';
import { withoutWeaker } from '../../random/random-sessions.ts';
import { parseServerProfile, SERVER_FEATURES, type ServerFeature } from '../server-profile.ts';
import { generateSessions } from './generate-session.ts';

const profileWith = (declares: readonly ServerFeature[]) =>
  parseServerProfile(
    JSON.stringify({
      tokens: { driver: 'of-a-driver', approver: 'of-an-approver', viewer: 'of-a-viewer' },
      declares,
      limits: { body: 1000 },
    }),
  );
const everything = profileWith(SERVER_FEATURES);

test('a seed always results in the same sessions, and another seed in others', () => {
  const steps = (seed: number) =>
    generateSessions({ count: 50, seed }, everything).map(({ start, steps: all }) => [start, all]);
  expect(steps(1)).toEqual(steps(1));
  expect(steps(1)).not.toEqual(steps(2));
  expect(new Set(steps(1).map((one) => JSON.stringify(one))).size).toBe(50);
});

test('every session can be written to a file of cases', () => {
  const sessions = generateSessions({ count: 100, seed: 3 }, everything);
  const shown = sessions.map(({ id, title, spec, start, steps }) => ({
    id,
    title,
    spec,
    start,
    steps: withoutWeaker(steps, 'must'),
  }));
  const text = stringify(shown, { aliasDuplicateObjects: false });
  const { cases, problems } = compileCases([{ side: 'server', text }], loadSuite().requirements);
  expect(problems).toEqual([]);
  expect(cases.map(({ steps }) => steps)).toEqual(shown.map(({ steps }) => steps));
});

/** The words that the sessions for a server contain. */
function wordsIn(declares: readonly ServerFeature[], words: readonly string[]): readonly string[] {
  const text = JSON.stringify(generateSessions({ count: 200, seed: 4 }, profileWith(declares)));
  return words.filter((word) => text.includes(word));
}

test('sessions use every kind of step and of message', () => {
  const verbs = 'open cut close pause resume ping say say-text worker register archive at-once loses after-bytes';
  const others = 'subprotocol from cursor-in stream_event control_request control_response control_cancel_request';
  const words = `${verbs} ${others}`.split(' ').map((word) => `"${word}"`);
  const paths = ['/heartbeat', '/events/delivery', '/internal-events', '/bridge', '/v1/code/sessions'];
  expect(wordsIn(SERVER_FEATURES, [...words, ...paths])).toEqual([...words, ...paths]);
});

test('sessions use only what the server declares', () => {
  const ofWorkers = ['S/worker', '"worker":"w1"', '"register"', '/internal-events'];
  const others = ['websocket', 'sjp.v1', '"archive"', '"viewer"', '"approver"', '/bridge', '"cwd"', 'aboveBody'];
  expect(wordsIn(['sse'], [...ofWorkers, ...others])).toEqual([]);
  expect(wordsIn(['sse', 'worker'], [...ofWorkers, ...others])).toEqual(['S/worker', '"worker":"w1"']);
  expect(wordsIn(['sse', 'worker', 'websocket'], others)).toEqual(['websocket']);
});
