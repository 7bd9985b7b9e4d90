/** Kills a server at random points under load. A normal run kills it a few times; set `SIGKILLS=200` for more. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openSqliteEventLog } from '@proto/ingress';
import { expect, test, vi } from 'vitest';

const SERVER = fileURLToPath(new URL('serve-until-killed.mjs', import.meta.url));
const RUNS = Number(process.env['SIGKILLS'] ?? 4);
const TOKEN = 'driver-token-0123456789';
const SENDERS = 8;
/** The longest delay before the kill, counted from the first answer. */
const MAX_LIFE_MS = 150;

test(`a server that is killed loses no event that it acknowledged (${RUNS} times)`, {
  timeout: 20_000 + RUNS * 4000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'server-sigkill-'));
  try {
    const file = join(folder, 'log.db');
    const acknowledged = new Set<string>();
    let session: string | undefined;
    for (let run = 1; run <= RUNS; run++) {
      const child = spawn(process.execPath, [SERVER, file, TOKEN], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      const base = `${line.toString().trim()}/v1/code/sessions`;
      session ??= await newSession(base);
      const senders = Array.from({ length: SENDERS }, (_, n) =>
        sendUntilGone(`${base}/${session}/events`, `${run}-${n}`, acknowledged),
      );
      const before = acknowledged.size;
      await vi.waitUntil(() => acknowledged.size > before, { timeout: 20_000, interval: 1 });
      await delay(Math.random() * MAX_LIFE_MS);
      child.kill('SIGKILL');
      await Promise.all([once(child, 'exit'), ...senders]);
    }
    await using log = await openSqliteEventLog({ file });
    const kept: string[] = [];
    for (let after = 0; ; ) {
      const { events } = await log.read(session ?? '', after);
      if (events.length === 0) break;
      kept.push(...events.map(({ id }) => id));
      after = events.at(-1)?.sequence ?? after;
      expect(after).toBe(kept.length);
    }
    expect(acknowledged.size).toBeGreaterThan(RUNS);
    expect(new Set(kept).size).toBe(kept.length);
    const found = new Set(kept);
    expect([...acknowledged].filter((id) => !found.has(id))).toEqual([]);
    console.log(`server sigkill: ${RUNS} kills, ${acknowledged.size} acknowledged, ${kept.length} kept, 0 lost`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { authorization: `Bearer ${TOKEN}` }, body: JSON.stringify(body) });
}

async function newSession(base: string): Promise<string> {
  const { session } = (await (await post(base, {})).json()) as { session: { id: string } };
  return session.id;
}

async function sendUntilGone(url: string, sender: string, acknowledged: Set<string>): Promise<void> {
  for (let n = 0; ; n++) {
    const uuid = `${sender}-${n}`;
    try {
      const { status } = await post(url, { events: [{ payload: { type: 'user', uuid, text: '.'.repeat(n % 500) } }] });
      if (status === 200) acknowledged.add(uuid);
    } catch {
      return;
    }
  }
}
