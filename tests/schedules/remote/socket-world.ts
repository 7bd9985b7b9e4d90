import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { openSqliteEventLog } from '@proto/ingress';
import type { EventLog } from '@proto/ingress/event-log';
import { SocketLink } from './socket-link.ts';
import { SocketServer } from './socket-server.ts';
import type { Kept, World } from './world.ts';

const TOKEN = 'driver-token-0123456789';
const POLL_MS = 3;

/** Runs schedules over sockets, with a server process over a file that some schedules kill. */
export async function openSockets() {
  const folder = mkdtempSync(join(tmpdir(), 'schedules-'));
  const file = join(folder, 'log.db');
  const server = new SocketServer(file, TOKEN);
  await server.up;
  const log = await openSqliteEventLog({ file, readOnly: true });
  return {
    world: () => openWorld(server, log),
    async close() {
      await server.close();
      await log.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A file that never reaches the limit of its retention. */
function keptIn(log: EventLog): Kept {
  return {
    events: async (session) => (await log.read(session, 0, { maxEvents: 1_000_000, maxBytes: Infinity })).events,
    last: async (session) => (await log.read(session, 0, { maxEvents: 1 })).last,
    dropped: async () => 0,
    placeOf: () => undefined,
  };
}

async function openWorld(server: SocketServer, log: EventLog): Promise<World> {
  const links: SocketLink[] = [];
  return {
    clock: {
      now: () => Date.now(),
      setTimeout: (run, ms) => setTimeout(run, ms),
      clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
    },
    problems: [],
    kept: keptIn(log),
    // The accounts of the server are fixed: all clients share one.
    rights: { token: () => TOKEN, revoke: () => false, demote: () => false },
    timing: { retryMs: 5, silenceMs: 250, answerMs: 600 },
    link() {
      const link = new SocketLink(() => server.url);
      links.push(link);
      return link;
    },
    server: {
      kill: () => server.end('SIGKILL'),
      drain: () => server.end('SIGTERM'),
      // Not supported: the server uses the disk of the test.
      failWrite() {},
      hang() {},
      mend() {},
    },
    moment: () => turn(),
    // Hours only pass on the simulated clock.
    pass: (ms) => delay(Math.min(ms, 20)).then(() => {}),
    async until(check, what) {
      const end = performance.now() + 20_000;
      while (!check()) {
        if (performance.now() > end) throw new Error(`this never happened: ${what}`);
        await delay(POLL_MS);
      }
    },
    async close() {
      for (const link of links) await link.close();
    },
  };
}
