/** Kills a process that writes to a store at random points. A normal run kills it a few times; set `SIGKILLS=200` for more. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openSqliteEventLog } from '@proto/ingress';
import type { EventLog } from '@proto/ingress/event-log';
import { expect, test } from 'vitest';

const APPENDER = fileURLToPath(new URL('append-under-load.mjs', import.meta.url));
const RUNS = Number(process.env['SIGKILLS'] ?? 8);
/** The longest delay before the kill, counted from the first acknowledgement. */
const MAX_LIFE_MS = 120;

test(`a store loses no acknowledged event if its process is killed (${RUNS} times)`, {
  timeout: 20_000 + RUNS * 3000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sigkill-'));
  try {
    const file = join(folder, 'log.db');
    const acknowledged = new Map<string, { readonly stream: string; readonly sequence: number }>();
    for (let run = 1; run <= RUNS; run++) {
      for (const line of await appendUntilKilled(file, run)) {
        const [stream = '', sequence, id = ''] = line.split(' ');
        acknowledged.set(id, { stream, sequence: Number(sequence) });
      }
    }
    expect(acknowledged.size).toBeGreaterThan(RUNS);

    await using log = await openSqliteEventLog({ file });
    const kept = new Map<string, unknown>();
    for (const stream of ['a', 'b', 'c', 'd']) {
      let expected = 0;
      for await (const { id, sequence, payload } of wholeStream(log, stream)) {
        expect(sequence).toBe(++expected);
        expect(JSON.parse(payload)).toMatchObject({ id });
        kept.set(id, { stream, sequence });
      }
    }
    expect([...acknowledged].filter(([id, place]) => !matches(kept.get(id), place))).toEqual([]);
    console.log(`sigkill: ${RUNS} kills, ${acknowledged.size} events acknowledged, ${kept.size} kept, 0 lost`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Returns what a process acknowledged before it was killed. A line that the kill cut off does not count as acknowledged. */
async function appendUntilKilled(file: string, run: number): Promise<string[]> {
  const child = spawn(process.execPath, [APPENDER, file, String(run)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const output = text(child.stdout);
  await once(child.stdout, 'data');
  await delay(Math.random() * MAX_LIFE_MS);
  child.kill('SIGKILL');
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  return (await output).split('\n').slice(0, -1);
}

async function* wholeStream(log: EventLog, stream: string) {
  for (let after = 0; ; ) {
    const { events } = await log.read(stream, after);
    if (events.length === 0) return;
    yield* events;
    after = events.at(-1)?.sequence ?? after;
  }
}

function matches(kept: unknown, place: object): boolean {
  return JSON.stringify(kept) === JSON.stringify(place);
}
