import { EventLogError, type EventLog } from '../log/event-log.ts';

/** How old the result of a probe may be, in milliseconds, so that a flood of requests causes only one write per second. */
const PROBE_EVERY_MS = 1000;
const PROBE_TIMEOUT_MS = 2000;
/** An internal stream of the server, which is left out of session lists. */
const PROBE_STREAM = '@ready';

/** Why a server should not receive requests now, or `ready` if it should. */
export type Readiness = 'ready' | 'draining' | 'storage_failed' | 'storage_full' | 'storage_slow';

/**
 * Creates the check for `/readyz`. The check writes to the store, because a full disk, or a disk that the system has made read-only, can still be
 * read. The check writes at most once a second, however many requests arrive, and never while an earlier write hangs.
 */
export function createReadiness(log: EventLog, isDraining: () => boolean): () => Promise<Readiness> {
  let last: { readonly found: Readiness; readonly at: number } | undefined;
  let writing: Promise<Readiness> | undefined;
  const probe = async () => {
    const found = await writeProbe(log);
    last = { found, at: performance.now() };
    writing = undefined;
    return found;
  };
  return async () => {
    if (isDraining()) return 'draining';
    if (last !== undefined && performance.now() - last.at < PROBE_EVERY_MS) return last.found;
    writing ??= probe();
    const found = await soon(writing);
    return isDraining() ? 'draining' : found;
  };
}

async function writeProbe(log: EventLog): Promise<Readiness> {
  try {
    await log.writeDocument(PROBE_STREAM, 'probe', '1');
    await log.readDocument(PROBE_STREAM, 'probe');
    return 'ready';
  } catch (error) {
    return EventLogError.is(error) && error.code === 'full' ? 'storage_full' : 'storage_failed';
  }
}

async function soon(probe: Promise<Readiness>): Promise<Readiness> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slow = new Promise<Readiness>((resolve) => {
    timer = setTimeout(resolve, PROBE_TIMEOUT_MS, 'storage_slow');
  });
  try {
    return await Promise.race([probe, slow]);
  } finally {
    clearTimeout(timer);
  }
}
