import { once } from 'node:events';
import {
  allSessions,
  type EventsOutput,
  exportEvents,
  parseSessionAddress,
  serverSessions,
  type SessionFacts,
  type SessionSource,
  tailEvents,
} from '@proto/remote';
import { onSignals } from '@proto/terminal/process';
import { tokenFinder } from '../token-file.ts';
import { type CommandResult, reportResult } from '@proto/terminal/reports';

export interface SessionsOptions {
  readonly url: string;
  readonly tokenFile?: string;
  readonly store?: string;
  readonly json?: boolean;
}

export type Action = 'ls' | 'show' | 'tail' | 'export' | 'archive' | 'rm';

export function runSessions(action: Action, id: string, options: SessionsOptions): Promise<number> {
  const work = async () => {
    // The id is used in an address, where other characters could refer to another session.
    if (action !== 'ls' && !/^[\w-]+$/.test(id))
      throw new Error('the id of a session may contain only letters, digits, - and _');
    const source = await sourceOf(options);
    try {
      return await actions[action](source, id);
    } finally {
      await source.close();
    }
  };
  return reportResult(work, { json: options.json, command: `sessions ${action}` }, process);
}

async function sourceOf({ url, tokenFile, store }: SessionsOptions): Promise<SessionSource> {
  if (store !== undefined) return (await import('@proto/ingress/operate')).openStoredSessions(store);
  const { base, hostname } = parseSessionAddress(url);
  return serverSessions(base, await tokenFinder(tokenFile, process)(hostname));
}

const NOT_DELETED =
  'a running server cannot delete a session. Archive the session with `sjp sessions archive`; the server then drops it when its events are too old (--retain). To delete it now, stop the server and give its store file with --store';

const output: EventsOutput = {
  write,
  onMissing(why, { from, to }) {
    const reason = why === 'lost' ? 'were lost when the log was restored from a backup' : 'are no longer kept';
    process.stderr.write(`events ${from} to ${to} ${reason}\n`);
  },
};

const actions: Readonly<Record<Action, (source: SessionSource, id: string) => Promise<CommandResult>>> = {
  async ls(source) {
    const sessions = await allSessions(source);
    return { text: sessions.map(lineOf).join('\n'), facts: { sessions } };
  },
  async show(source, id) {
    const facts = await source.show(id);
    return { text: JSON.stringify(facts, null, 2), facts };
  },
  async export(source, id) {
    await exportEvents(source, id, output);
    return { text: '' };
  },
  async tail(source, id) {
    const ending = new AbortController();
    const end = () => ending.abort();
    const leave = onSignals(process, { SIGINT: end, SIGTERM: end, SIGHUP: end });
    await tailEvents(source, id, { ...output, signal: ending.signal }).finally(leave);
    return { text: '' };
  },
  async archive(source, id) {
    if (source.archive === undefined)
      throw new Error(
        'only a running server can archive a session; `sjp sessions rm` deletes a session from a store file',
      );
    await source.archive(id);
    return { text: `${id} was archived`, facts: { id, became: 'archived' } };
  },
  async rm(source, id) {
    if (source.remove === undefined) throw new Error(NOT_DELETED);
    await source.remove(id);
    return { text: `${id} was removed`, facts: { id, became: 'removed' } };
  },
};

async function write(lines: readonly string[]): Promise<void> {
  if (lines.length > 0 && !process.stdout.write(`${lines.join('\n')}\n`)) await once(process.stdout, 'drain');
}

function lineOf({ id, created_at, archived, worker_status, title }: SessionFacts): string {
  const state = archived === true ? 'archived' : typeof worker_status === 'string' ? worker_status : 'unknown';
  return [id, created_at, state.padEnd(8), title].map(String).join('  ');
}
