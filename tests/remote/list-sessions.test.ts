import { listSessions, openSession, SessionError } from '@proto/remote';
import { expect, onTestFinished, test } from 'vitest';
import { startIngress, TOKENS } from './remote-session.ts';

test('a client lists the sessions of a server in pages, the newest first', async () => {
  const server = await startIngress();
  onTestFinished(server.close);
  const base = server.url;
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) {
    ids.unshift((await openSession({ base, session: 'new', title: `title ${count}`, token: TOKENS.driver })).id);
  }
  const first = await listSessions({ base, token: TOKENS.viewer, limit: 2 });
  expect(first.sessions).toMatchObject([
    { id: ids[0], title: 'title 2', archived: false, openRequests: 0 },
    { id: ids[1] },
  ]);
  expect(Math.abs(Date.now() - Number(first.sessions[0]?.createdAt))).toBeLessThan(60_000);
  const second = await listSessions({ base, token: TOKENS.viewer, limit: 2, before: first.nextBefore });
  expect(second).toMatchObject({ sessions: [{ id: ids[2] }], nextBefore: undefined });
  const refused = listSessions({ base, token: 'a-token-that-is-wrong' });
  await expect(refused).rejects.toThrow(SessionError);
  await expect(refused).rejects.toMatchObject({ code: 'auth_required' });
});
