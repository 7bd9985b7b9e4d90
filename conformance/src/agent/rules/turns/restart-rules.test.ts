import { expect, test } from 'vitest';

import { findRequirement } from '../../../cases/suite.ts';
import type { SessionLog } from '../../session-log.ts';
import { brokenBetween } from '../index.ts';
import { restartRules } from './restart-rules.ts';
import { assistant, begins, mirror, result, session } from '../sessions.test-support.ts';

const said = assistant();
const answers = (uuid: string) => result({ user_message_uuids: [uuid] });
const first = session([begins({ session_id: 's1' }), said, mirror, answers('p1')], { args: ['--session-mirror'] });
const second = session([begins({ session_id: 's2' }), answers('p2')], { args: [] });
const unstored = session([begins({ session_id: 's3' }), result()], { args: ['--no-session-persistence'] });
const then = (args: readonly string[], id: string, ...parts: object[]) =>
  session([begins({ session_id: id }), ...parts], { args });

/** For each rule, the processes of a case that breaks it. */
const broken: Readonly<Record<string, readonly SessionLog[]>> = {
  'restart/nothing-again': [first, then(['--resume', 's1'], 's1', said)],
  'restart/prompt-once': [first, then(['--resume', 's1'], 's1', answers('p1'))],
  'restart/new-id-of-a-copy': [first, then(['--resume', 's1', '--fork-session'], 's1')],
  'restart/newest-session': [first, second, then(['--continue'], 's1')],
  'restart/not-stored': [unstored, then(['--resume', 's3'], 's3')],
  'restart/unknown-session': [first, then(['--resume', 's9'], 's9')],
  'restart/mirror-once': [first, then(['--resume', 's1', '--session-mirror'], 's1', mirror)],
};

test.each(restartRules.map(({ name }) => name))('%s is broken by processes of one case', (name) => {
  expect(brokenBetween(broken[name] ?? []).map(({ rule }) => rule)).toContain(name);
});

test('a prompt that an earlier process got is not sent again', () => {
  const asked = session([{ sent: { type: 'user', uuid: 'p1', message: { role: 'user', content: 'hi' } } }]);
  const again = { type: 'user', message: { role: 'user', content: 'hi' }, parent_tool_use_id: null, isReplay: true };
  const logs = [asked, session([again], { args: ['--resume', 's1'] })];
  expect(brokenBetween(logs).map(({ rule }) => rule)).toContain('restart/nothing-again');
});

test('a prompt that a hook has blocked may run in the next process', () => {
  const notice = { type: 'system', subtype: 'informational', prompt_submit_outcome: { prompt_kept: false } };
  const blocked = session([begins({ session_id: 's1' }), notice, answers('p1'), begins({}), answers('p2')], {
    args: [],
  });
  const again = (uuid: string) => [blocked, then(['--resume', 's1'], 's1', answers(uuid))];
  expect(brokenBetween(again('p1'))).toEqual([]);
  expect(brokenBetween(again('p2')).map(({ rule }) => rule)).toEqual(['restart/prompt-once']);
});

test('two sessions may each have an entry with the id of a prompt that was sent again', () => {
  const elsewhere = { ...mirror, filePath: '/b' };
  const again = then(['--resume', 's1', '--session-mirror'], 's1', elsewhere);
  expect(brokenBetween([first, again])).toEqual([]);
});

test('starts without a fault break none, and each rule cites a requirement', () => {
  const copy = then(['--resume', 's1', '--fork-session'], 's4', mirror, answers('p3'));
  const good = [first, second, then(['-c'], 's2', answers('p4')), copy, unstored, then(['--resume', 's1'], 's1')];
  expect(brokenBetween(good)).toEqual([]);
  expect(restartRules.filter(({ spec }) => findRequirement(spec) === undefined)).toEqual([]);
});
