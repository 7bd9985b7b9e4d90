/** Connects the published clients of remote sessions to the ingress without changes: the browser SDK over SSE, and the bridge. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteEventLog } from '@proto/ingress';
import { verifies } from '@proto/test-support/verifies';
import { expect, onTestFinished } from 'vitest';
import { assistant, texts } from './messages.ts';
import { testPublishedClients } from './published-exchanges.ts';
import { attachWorker, newSession, openViewer, startIngress } from './remote-session.ts';
import { until } from './until.ts';

testPublishedClients(async () => {
  const { url, close } = await startIngress();
  onTestFinished(close);
  return { url, session: await newSession(url) };
});

verifies(
  ['RES-2', 'REM-22', 'RES-7'],
  'a server that restarts on the same file neither loses nor repeats messages for viewers and workers',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'restart-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'log.db');
    const openLog = () => openSqliteEventLog({ file });
    let log = await openLog();
    let server = await startIngress(log);
    const { url } = server;
    onTestFinished(async () => {
      await server.close();
      await log.close();
    });
    const session = await newSession(url);
    const { handle, inbound } = await attachWorker(url, session);
    const viewer = openViewer(url, session);
    const first = viewer.prompt('first');
    handle.write(assistant('one') as never);
    await until(() => inbound.length === 1 && texts(viewer.messages).length === 1);

    await server.close();
    await log.close();
    log = await openLog();
    server = await startIngress(log, Number(new URL(url).port));

    handle.write(assistant('two') as never);
    await until(() => texts(viewer.messages).length === 2);
    const second = viewer.prompt('second');
    await until(() => inbound.length === 2);
    expect(inbound.map(({ uuid }) => uuid)).toEqual([first, second]);
    expect(texts(viewer.messages)).toEqual(['one', 'two']);
  },
  { timeout: 60_000 },
);
