import { sleep } from '@proto/core/network';
import type { Places, SessionFacts, SessionSource } from './server-sessions.ts';

/** The destination of a session's events. */
export interface EventsOutput {
  /** Writes events, each as one line of JSON. */
  write(lines: readonly string[]): Promise<void>;
  /** Called if events are missing, because they were dropped, or because they were lost when the log was restored. */
  onMissing(why: 'dropped' | 'lost', places: Places): void;
}

const LOOK_EVERY_MS = 1000;
/** A position after the end of any log. The answer contains the actual end. */
const BEYOND = '999999999999999';

/** Returns all sessions of a source, newest first. */
export async function allSessions(source: SessionSource): Promise<readonly SessionFacts[]> {
  const all: SessionFacts[] = [];
  let before: string | undefined;
  do {
    const { sessions, next } = await source.list(before);
    all.push(...sessions);
    before = next;
  } while (before !== undefined);
  return all;
}

/** Writes all events of a session. */
export async function exportEvents(source: SessionSource, id: string, output: EventsOutput): Promise<void> {
  for (let after = '0'; ; ) {
    const next = await writePage(source, id, { after, output });
    if (next === after) return;
    after = next;
  }
}

/** Writes the new events of a session, with a delay of at most one second, until the signal aborts. */
export async function tailEvents(
  source: SessionSource,
  id: string,
  output: EventsOutput & { readonly signal: AbortSignal },
): Promise<void> {
  const { signal } = output;
  let { end: after } = await source.eventsAfter(id, BEYOND);
  while (!signal.aborted) {
    const next = await writePage(source, id, { after, output });
    // After a full page, the next page is read at once.
    if (next === after) await sleep({ ms: LOOK_EVERY_MS, signal }).catch(() => {});
    after = next;
  }
}

/** Writes a page of events, and reports missing events. Returns the position after which to continue. */
async function writePage(
  source: SessionSource,
  id: string,
  { after, output }: { readonly after: string; readonly output: EventsOutput },
): Promise<string> {
  const { lines, next, missing, lost } = await source.eventsAfter(id, after);
  if (lost !== undefined) output.onMissing('lost', lost);
  if (missing !== undefined) output.onMissing('dropped', missing);
  if (lines.length > 0) await output.write(lines);
  return next;
}
