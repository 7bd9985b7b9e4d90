import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { parseSessionAddress, serverSessions, type SessionFacts, type SessionSource } from '@proto/remote';
import { onSignals } from '@proto/terminal/process';
import { clientToken } from '../network/token-file.ts';
import { reportResult, type Result } from './report-result.ts';

/** The flags of the commands of `sjp sessions`. */
export interface SessionsOptions {
  readonly url: string;
  readonly tokenFile?: string;
  readonly store?: string;
  readonly json?: boolean;
}

/** What is done with sessions. */
export type Action = 'list' | 'show' | 'tail' | 'export' | 'remove';

const LOOK_EVERY_MS = 1000;
// Behind the end of any log: the answer tells where that end is.
const BEYOND = 999_999_999_999_999;

/** Runs a command of `sjp sessions`. Fulfils with the exit code. */
export function runSessions(action: Action, id: string, options: SessionsOptions): Promise<number> {
  const work = async () => {
    // A part of an address would otherwise name another session.
    if (action !== 'list' && !/^[\w-]+$/.test(id)) throw new Error('the id of a session has letters, digits, - and _');
    const source = await sourceOf(options);
    try {
      return await actions[action](source, id);
    } finally {
      await source.close();
    }
  };
  return reportResult(work, { json: options.json, command: `sessions ${action}` });
}

async function sourceOf({ url, tokenFile, store }: SessionsOptions): Promise<SessionSource> {
  if (store !== undefined) return (await import('@proto/ingress/operate')).openStoredSessions(store);
  const { base, hostname } = parseSessionAddress(url);
  return serverSessions(base, await clientToken({ tokenFile, hostname, cwd: process.cwd(), env: process.env }));
}

const actions: Readonly<Record<Action, (source: SessionSource, id: string) => Promise<Result>>> = {
  async list(source) {
    const all: SessionFacts[] = [];
    let before: string | undefined;
    do {
      const { sessions, next } = await source.list(before);
      all.push(...sessions);
      before = next;
    } while (before !== undefined);
    return { text: all.map(lineOf).join('\n'), facts: { sessions: all } };
  },
  async show(source, id) {
    const facts = await source.show(id);
    return { text: JSON.stringify(facts, null, 2), facts };
  },
  async export(source, id) {
    for (let after = 0; ; ) {
      const { lines, next, missing } = await source.eventsAfter(id, after);
      if (missing !== undefined)
        process.stderr.write(`events ${missing.from} to ${missing.to} are not kept any more\n`);
      await write(lines);
      if (next === after) return { text: '' };
      after = next;
    }
  },
  async tail(source, id) {
    const ending = new AbortController();
    const end = () => ending.abort();
    const leave = onSignals(process, { SIGINT: end, SIGTERM: end, SIGHUP: end });
    try {
      let { end: after } = await source.eventsAfter(id, BEYOND);
      while (!ending.signal.aborted) {
        const { lines, next } = await source.eventsAfter(id, after);
        await write(lines);
        // A page that was full has another one behind it.
        if (next === after) await delay(LOOK_EVERY_MS, undefined, { signal: ending.signal }).catch(() => {});
        after = next;
      }
      return { text: '' };
    } finally {
      leave();
    }
  },
  async remove(source, id) {
    const became = await source.remove(id);
    return { text: `${id} was ${became}`, facts: { id, became } };
  },
};

async function write(lines: readonly string[]): Promise<void> {
  if (lines.length > 0 && !process.stdout.write(`${lines.join('\n')}\n`)) await once(process.stdout, 'drain');
}

function lineOf({ id, created_at, archived, worker_status, title }: SessionFacts): string {
  const state = archived === true ? 'archived' : typeof worker_status === 'string' ? worker_status : 'unknown';
  return [id, created_at, state.padEnd(8), title].map(String).join('  ');
}
