import { appendFileSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRemoteSessions } from './remote-sessions.ts';

test('a conversation is found by any id its host may know, on its server; the last one of a folder is the latest', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'remote-')), 'below', 'sessions.jsonl');
  const sessions = openRemoteSessions(file);
  expect(await sessions.latest('/a', 'https://one')).toBeUndefined();
  const place = { cwd: '/a', base: 'https://one' };
  await sessions.remember({ conversation: 'asked', session: 'cse_1', ...place });
  await sessions.remember({ conversation: 'named', session: 'cse_1', ...place });
  // The file ends as if the disk was full during a write.
  appendFileSync(file, '{"conversation":"cu\n\0\0\0');
  await openRemoteSessions(file).remember({ conversation: 'later', session: 'cse_2', ...place, cwd: '/b' });
  expect(await Promise.all(['asked', 'named', 'later', 'never'].map((id) => sessions.find(id, 'https://one')))).toEqual(
    ['cse_1', 'cse_1', 'cse_2', undefined],
  );
  expect(await sessions.find('asked', 'https://other')).toBeUndefined();
  expect([await sessions.latest('/a', 'https://one'), await sessions.latest('/b', 'https://one')]).toEqual([
    'cse_1',
    'cse_2',
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
