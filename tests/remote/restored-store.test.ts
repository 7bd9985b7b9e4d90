/** Restores a backup of a store while clients are away whose cursors are of events that were lost with it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cursor, Incoming } from '@proto/core/transport';
import { openSqliteEventLog } from '@proto/ingress';
import type { EventLog } from '@proto/ingress/event-log';
import { backupStoreFile, restoreStoreFile } from '@proto/ingress/operate';
import { openViewer, serverSessions } from '@proto/remote';
import { verifies } from '@proto/test-support/verifies';
import { expect, onTestFinished } from 'vitest';
import { newSession, startIngress, TOKENS } from './remote-session.ts';
import { until } from './until.ts';

type Kind = 'ws' | 'sse';

/** Sends a prompt to a session of a server. */
async function send(url: string, session: string, content: string): Promise<void> {
  const payload = {
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    uuid: crypto.randomUUID(),
  };
  const response = await fetch(`${url}/v1/code/sessions/${session}/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKENS.driver}`, 'content-type': 'application/json' },
    body: JSON.stringify({ session_id: session, events: [{ payload }] }),
  });
  expect(response.status).toBe(200);
}

/** A viewer that reads until the end of the test. */
function follow(kind: Kind, url: string, session: string, cursor?: Cursor) {
  const at = `${url}/v1/code/sessions/${session}`;
  const viewer = openViewer({ url: at, prefer: kind, cursor, credential: () => TOKENS.viewer });
  onTestFinished(() => viewer.abort());
  const items: Incoming[] = [];
  void (async () => {
    for await (const some of viewer.incoming) items.push(...some);
  })().catch(() => {});
  const messages = () => items.flatMap((item) => (item.kind === 'message' ? [item] : []));
  const contents = () =>
    messages().map(
      (item) => (item.read().message as { message?: { content?: unknown } } | undefined)?.message?.content,
    );
  return {
    contents,
    cursorOf: (index: number) => messages()[index]?.cursor,
    resumed: () => items.flatMap((item) => (item.kind === 'link' && item.state === 'up' ? [item.resumed] : [])),
    place: () => messages().at(-1)?.cursor,
    leave: () => viewer.abort(),
  };
}

/** A store in a file, and a server for it that can be started again. */
async function storeOfServer() {
  const folder = mkdtempSync(join(tmpdir(), 'restored-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [file, copy] = [join(folder, 'sessions.db'), join(folder, 'copy.db')];
  let end = async () => {};
  onTestFinished(() => end());
  const start = async (port = 0) => {
    const log: EventLog = await openSqliteEventLog({ file });
    const server = await startIngress(log, port);
    end = async () => {
      end = async () => {};
      await server.close();
      await log.close();
    };
    return { server, identity: log.identity };
  };
  return { file, copy, start, stop: () => end() };
}

for (const [kind, other] of [
  ['ws', 'sse'],
  ['sse', 'ws'],
] as const) {
  const title = `over ${kind} a client gets a report of lost events, although as many new events were written, and gets all new events`;
  verifies(['RES-45', 'RES-46', 'RES-47', 'LINK-3'], title, () => checkRestored(kind, other));
}

async function checkRestored(kind: Kind, other: Kind): Promise<void> {
  const store = await storeOfServer();
  const { server, identity } = await store.start();
  const session = await newSession(server.url);
  for (const content of ['1', '2', '3']) await send(server.url, session, content);
  await backupStoreFile(store.file, store.copy);
  for (const content of ['lost 4', 'lost 5']) await send(server.url, session, content);
  const before = follow(kind, server.url, session);
  await until(() => before.contents().length === 5);
  const [early, late] = [before.cursorOf(1), before.cursorOf(4)];
  expect([early, late]).toEqual([`2@${identity}`, `5@${identity}`]);

  const port = Number(new URL(server.url).port);
  await store.stop();
  await restoreStoreFile(store.copy, store.file, { replace: true });
  const next = await store.start(port);
  expect(next.identity).not.toBe(identity);
  for (const content of ['new 4', 'new 5']) await send(server.url, session, content);

  // The client that was connected all the time, and a later process with its cursor, over either kind of link.
  const anew = [before, follow(kind, server.url, session, late), follow(other, server.url, session, late)];
  for (const client of anew) {
    await until(() => client.contents().at(-1) === 'new 5' && client.resumed().length > 0);
    expect(client.contents().slice(-2)).toEqual(['new 4', 'new 5']);
    expect(client.resumed().at(-1)).toBe(false);
    expect(client.place()).toBe(`5@${next.identity}`);
  }
  expect(before.contents()).toEqual(['1', '2', '3', 'lost 4', 'lost 5', 'new 4', 'new 5']);

  // A client that has received only events in the backup loses nothing.
  const unharmed = follow(kind, server.url, session, early);
  await until(() => unharmed.contents().length === 3);
  expect(unharmed.contents()).toEqual(['3', 'new 4', 'new 5']);
  expect(unharmed.resumed()).not.toContain(false);

  const sessions = serverSessions(server.url, TOKENS.viewer);
  expect(await sessions.eventsAfter(session, late ?? '')).toMatchObject({
    lines: [expect.stringContaining('new 4'), expect.stringContaining('new 5')],
    next: `5@${next.identity}`,
    lost: { from: 4, to: 5 },
  });
  expect(await sessions.eventsAfter(session, early ?? '')).toMatchObject({ lines: { length: 3 }, lost: undefined });

  // A published client sends only the number. The server reports if the number is beyond the end of the log.
  const published = follow('sse', server.url, session, '9');
  await until(() => published.resumed().length > 0);
  expect(published.resumed()[0]).toBe(false);
}
