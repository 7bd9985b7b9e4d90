import { setTimeout as wait } from 'node:timers/promises';
import { createSession } from '@proto/core';
import { createSseTransport } from '@proto/transport-sse';
import { undiciFetch } from '@proto/transport-sse/node';
import { createFixtures } from '../fixtures.ts';
import { startServer } from '../server-child.ts';
import type { Pushed } from './back-pressure.ts';

const READ_BYTES_PER_MS = 100_000;

/** Reads this many megabytes of an event stream through a session, at 100 megabytes a second. */
export async function run([megabytes = '']: readonly string[]): Promise<Pushed> {
  const size = createFixtures().assistant1k().length;
  const count = Math.round((Number(megabytes) * 1e6) / size);
  const { port } = await startServer('event-source', megabytes);
  const session = createSession(createSseTransport({ url: `http://127.0.0.1:${port}/`, fetch: undiciFetch() }));
  await session.transport.opened;
  const start = performance.now();
  let read = 0;
  if (count > 0) {
    for await (const { kind } of session) {
      if (kind !== 'message') throw new Error(`a ${kind} came instead of a message`);
      if (++read === count) break;
      const earlyMs = (read * size) / READ_BYTES_PER_MS - (performance.now() - start);
      if (earlyMs > 2) await wait(earlyMs);
    }
  }
  // The server ends with this process.
  process.nextTick(() => process.exit());
  return { peakBytes: process.resourceUsage().maxRSS * 1024, seconds: (performance.now() - start) / 1000 };
}
