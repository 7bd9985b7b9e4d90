import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { assistant } from '../run.test-support.ts';
import { entriesIn, prompt, sessionsPeer } from '../sessions/sessions.test-support.ts';
import { asks, begins, ID, says, serverOf } from './session-server.test-support.ts';

const TURN = [asks('p1'), begins('p1'), says('a1')];
const LATER = [asks('p2'), begins('p2'), says('a2')];

/** A server whose session has the given events. */
const serverWith = (...data: readonly object[]) =>
  serverOf({ '/events?limit=1000': [200, { data, next_cursor: null }] });

verifies('PROGRAM-4', 'a session teleported again continues here, unless both sides have new messages', async () => {
  const { agent, home, files } = sessionsPeer();
  const [before, after] = [await serverWith(...TURN), await serverWith(...TURN, ...LATER)];
  const bring = ({ origin }: typeof before, text: string) =>
    agent(['--teleport=cse_1'], prompt(text), { process: { env: { SJP_HOME: home, SJP_TELEPORT_URL: origin } } });
  expect(await bring(before, 'one')).toMatchObject({ id: ID, said: ['p1|a1|one'] });
  expect(await bring(before, 'two')).toMatchObject({ id: ID, said: ['p1|a1|one|p1|a1|one|two'] });
  const kept = entriesIn(files()[0] ?? '');
  const stderr = expect.stringMatching(
    `^Error: the session ${ID} already exists on this machine, .*--resume ${ID}.*\\n$`,
  );
  expect(await bring(after, 'three')).toMatchObject({ code: 1, stdout: '', stderr });
  expect(entriesIn(files()[0] ?? '')).toEqual(kept);
});

test('new messages of the remote session are appended to the local file', async () => {
  const { agent, home, files } = sessionsPeer();
  const [before, after] = [await serverWith(...TURN), await serverWith(...TURN, ...LATER)];
  for (const { origin } of [before, after]) {
    await agent(['--teleport=cse_1'], '', { process: { env: { SJP_HOME: home, SJP_TELEPORT_URL: origin } } });
  }
  const entries = entriesIn(files()[0] ?? '');
  expect(entries.map(({ uuid, parentUuid }) => [uuid, parentUuid])).toEqual([
    ['p1', null],
    ['a1', 'p1'],
    ['p2', 'a1'],
    ['a2', 'p2'],
  ]);
});

test('a session id from the server cannot name a file outside the folder, and --session-mirror gets every line', async () => {
  const elsewhere = { source: 'worker', payload: { ...assistant('a1'), uuid: 'a1', session_id: '../../escaped' } };
  const { origin } = await serverOf({
    '/events?limit=1000': [200, { data: [asks('p1'), begins('p1'), elsewhere], next_cursor: null }],
  });
  const { agent, home, files } = sessionsPeer();
  const env = { SJP_HOME: home, SJP_TELEPORT_URL: origin };
  const { code, id, said, messages } = await agent(['--teleport=cse_1', '--session-mirror'], prompt('two'), {
    process: { env },
  });
  expect({ code, said }).toEqual({ code: 0, said: ['p1|a1|two'] });
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(files()).toEqual([expect.stringContaining(`${id}.jsonl`)]);
  const entries = messages.flatMap(({ type, entries: mirrored }) =>
    type === 'transcript_mirror' ? (mirrored as object[]) : [],
  );
  expect(entries).toMatchObject([
    { uuid: 'p1', parentUuid: null },
    { uuid: 'a1' },
    { type: 'user' },
    { type: 'assistant' },
  ]);
});
