import { existsSync, mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { projectDirectory } from '../environment-variables.ts';
import { SJP_HOME } from '../run.test-support.ts';
import { hostProjectDirectory } from './host-transcript.ts';
import { createStoredSessions } from './stored-sessions.ts';

const id = (last: number) => `00000000-0000-4000-8000-00000000000${last}`;
const said = (uuid: string, parentUuid: string | null, content: string, more: object = {}) => ({
  type: 'user',
  uuid,
  parentUuid,
  cwd: '/work',
  message: { role: 'user', content },
  ...more,
});

function place() {
  const home = mkdtempSync(join(SJP_HOME, 'stored-'));
  const env = { SJP_HOME: join(home, 'own'), CLAUDE_CONFIG_DIR: join(home, 'config') };
  function write(folder: string, name: string, lines: readonly object[], seconds = 1) {
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `${name}.jsonl`);
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    utimesSync(path, seconds, seconds);
    return path;
  }
  return {
    home,
    write,
    sessions: createStoredSessions(env),
    own: projectDirectory('/work', env),
    published: hostProjectDirectory('/work', env),
    other: hostProjectDirectory('/other', env),
  };
}

test('sessions of both folders are listed, the newest first, with their titles', async () => {
  const { write, sessions, own, published, other } = place();
  write(own, id(1), [said('a', null, 'the first prompt\nand more')], 10);
  write(
    published,
    id(2),
    [said('a', null, 'hi'), { type: 'ai-title', aiTitle: 'old' }, { type: 'custom-title', customTitle: 'new' }],
    30,
  );
  write(other, id(3), [said('a', null, 'elsewhere', { cwd: '/other' })], 20);
  write(own, id(4), [{ type: 'summary' }, said('a', null, 'not of the user', { isMeta: true })]);
  write(own, 'agent-1', [said('a', null, 'a subagent')]);
  const titles = async (cwd?: string) => (await sessions.list(cwd)).map(({ sessionId, title }) => [sessionId, title]);
  expect(await titles('/work')).toEqual([
    [id(2), 'new'],
    [id(1), 'the first prompt'],
  ]);
  expect((await titles()).map(([sessionId]) => sessionId)).toEqual([id(2), id(3), id(1)]);
  expect((await sessions.list('/other'))[0]).toEqual({
    sessionId: id(3),
    cwd: '/other',
    title: 'elsewhere',
    updatedAt: '1970-01-01T00:00:20.000Z',
  });
  expect(await titles('/nowhere')).toEqual([]);
});

test('a title at the end of a large file is found', async () => {
  const { write, sessions, own } = place();
  const lines = Array.from({ length: 400 }, (_, at) =>
    said(String(at), at === 0 ? null : String(at - 1), 'x'.repeat(1000)),
  );
  write(own, id(1), [...lines, { type: 'custom-title', customTitle: 'at the end' }]);
  expect(await sessions.list('/work')).toMatchObject([{ title: 'at the end', cwd: '/work' }]);
});

test('the conversation of a session is its last branch', async () => {
  const { write, sessions, own } = place();
  write(own, id(1), [said('a', null, 'one'), said('b', 'a', 'two'), said('c', 'a', 'three')]);
  const history = await sessions.read(id(1), '/work');
  expect(history?.map(({ message }) => (message as { content: string }).content)).toEqual(['one', 'three']);
  expect(await sessions.read(id(2), '/work')).toBeUndefined();
});

verifies('EDITOR-8', 'a text that is not an id selects no file', async () => {
  const { home, write, sessions, own } = place();
  const secret = write(home, 'secret', [said('a', null, 'secret')]);
  const kept = write(own, id(1), [said('a', null, 'one')]);
  for (const name of [
    '../../../secret',
    '../../../../secret',
    secret,
    secret.replace('.jsonl', ''),
    '',
    '*',
    id(1).slice(0, -1),
  ]) {
    expect(await sessions.read(name, '/work')).toBeUndefined();
    await sessions.delete(name);
  }
  expect([secret, kept].map((path) => existsSync(path))).toEqual([true, true]);
  await sessions.delete(id(1));
  await sessions.delete(id(1));
  expect([secret, kept].map((path) => existsSync(path))).toEqual([true, false]);
});
