import { openPostgresEventLog } from '@proto/log-postgres';
import type { TemporaryPostgres } from '@proto/test-support/postgres';
import pg from 'pg';
import { expect, vi } from 'vitest';
import type { NodeProcesses } from './node-processes.ts';
import { insist, Viewer, Writer } from './process-clients.ts';
import { drawSteps, type Step, takeSteps } from './process-schedule.ts';

/** The nodes and the database of a schedule. */
export interface ProcessWorld {
  readonly server: TemporaryPostgres;
  readonly nodes: NodeProcesses;
  readonly count: number;
  readonly ttlMs: number;
}

/** Adds a trigger that records each event that a node stores without the claim of the session. */
export async function watchWriters({ server, nodes }: ProcessWorld): Promise<void> {
  await query(
    server,
    `SET search_path TO "${nodes.schema}";
     CREATE TABLE intruders (stream text, sequence bigint, run text, owner text);
     CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql SET search_path TO "${nodes.schema}" AS $$
       DECLARE written text; owner text;
       BEGIN
         SELECT split_part(name, '/', 1) INTO written FROM streams WHERE id = NEW.stream;
         SELECT split_part(node, '@', 1) INTO owner FROM claims WHERE name = written;
         IF written NOT LIKE '@%' AND owner IS DISTINCT FROM current_setting('application_name') THEN
           INSERT INTO intruders VALUES (written, NEW.sequence, current_setting('application_name'), owner);
         END IF;
         RETURN NEW;
       END $$;
     CREATE TRIGGER watch AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION watch();`,
  );
}

/** Runs the schedule of a seed. If a promise was broken, returns the first one and the steps of the schedule. */
export async function runProcesses(seed: string, world: ProcessWorld): Promise<string | undefined> {
  const steps = drawSteps(seed, { nodes: world.count, ttlMs: world.ttlMs });
  const problem = await problemOf(seed, steps, world).catch((error: unknown) => `nothing went on: ${String(error)}`);
  return problem === undefined ? undefined : `${problem} · ${JSON.stringify(steps)}`;
}

async function problemOf(seed: string, steps: readonly Step[], world: ProcessWorld): Promise<string | undefined> {
  const base = `${world.nodes.url}/v1/code/sessions`;
  const sessions: string[] = [];
  for (let n = 0; n < 2; n++) {
    const { session } = (await insist(base, {})) as { readonly session: { readonly id: string } };
    sessions.push(session.id);
  }
  const pairs = sessions.map((session) => ({
    session,
    // Several writers of one session, whose requests arrive at different nodes.
    writers: ['a', 'b', 'c'].map((name) => new Writer(`${base}/${session}/events`, `${seed}:${name}`)),
    viewer: new Viewer(`${base}/${session}/events/stream`),
  }));
  const writers = pairs.flatMap((pair) => pair.writers);
  try {
    await become('writers write', () => writers.every(({ acknowledged }) => acknowledged.length > 0));
    await takeSteps(steps, world);
    const before = writers.map(({ acknowledged }) => acknowledged.length);
    await become('writers go on', () =>
      writers.every(({ acknowledged }, at) => acknowledged.length > (before[at] ?? 0)),
    );
    await Promise.all(writers.map((writer) => writer.end()));
    const { rows } = await query(world.server, `SELECT * FROM "${world.nodes.schema}".intruders`);
    if (rows.length > 0) return `two writers: ${JSON.stringify(rows[0])}`;
    for (const { session, writers: own, viewer } of pairs) {
      const stored = await storedIn(world, session);
      const problem = wrongOrder(stored, own) ?? (await wrongView(stored, viewer));
      if (problem !== undefined) return problem;
    }
    return undefined;
  } finally {
    await Promise.all([...writers.map((writer) => writer.leave()), ...pairs.map(({ viewer }) => viewer.end())]);
  }
}

interface Stored {
  readonly sequence: number;
  readonly id: string;
}

async function storedIn({ server, nodes }: ProcessWorld, session: string): Promise<Stored[]> {
  await using log = await openPostgresEventLog({ url: server.url, schema: nodes.schema });
  const stored: Stored[] = [];
  for (let after = 0; ; ) {
    const { events, last } = await log.read(session, after);
    stored.push(...events.map(({ sequence, id }) => ({ sequence, id })));
    after = events.at(-1)?.sequence ?? last;
    if (after >= last) return stored;
  }
}

/** Checks that the messages of a writer are stored once, in order and without a gap, and that all acknowledged messages are stored. */
function wrongOrder(stored: readonly Stored[], writers: readonly Writer[]): string | undefined {
  const dense = stored.every(({ sequence }, index) => sequence === index + 1);
  if (!dense) return 'the places of events are not dense';
  for (const { acknowledged } of writers) {
    const prefix = (acknowledged[0] as string).replace(/\d+$/, '');
    const own = stored.map(({ id }) => id).filter((id) => id.startsWith(prefix));
    const lost = acknowledged.find((id) => !own.includes(id));
    if (lost !== undefined) return `${lost} was acknowledged, and is lost`;
    if (new Set(own).size !== own.length) return `an event of ${prefix} is stored twice`;
    if (own.some((id, index) => id !== `${prefix}${index}`)) return `the events of ${prefix} are out of order`;
  }
  return undefined;
}

/** Checks that a viewer gets every event once, in order. */
async function wrongView(stored: readonly Stored[], viewer: Viewer): Promise<string | undefined> {
  const last = stored.at(-1)?.sequence ?? 0;
  await become('the viewer has all', () => (viewer.received.at(-1)?.sequence ?? 0) >= last);
  const messages = stored.filter(({ id }) => /:[abc]:\d+$/.test(id));
  const received = viewer.received.filter(({ id }) => /:[abc]:\d+$/.test(id));
  return JSON.stringify(received) === JSON.stringify(messages)
    ? undefined
    : 'a viewer missed an event, or got one twice';
}

/** Waits for a condition, long enough for a machine with much else to do. @throws Error with its name after a minute. */
async function become(what: string, check: () => boolean): Promise<void> {
  await vi.waitFor(() => expect(check(), what).toBe(true), { timeout: 60_000, interval: 10 });
}

/** Asks the database. */
export async function query(server: TemporaryPostgres, text: string): Promise<{ readonly rows: readonly unknown[] }> {
  const client = new pg.Client({ connectionString: server.url });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows = [] } = (await client.query(text)) as { rows?: unknown[] };
    return { rows };
  } finally {
    await client.end().catch(() => {});
  }
}
