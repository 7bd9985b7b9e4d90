import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AccountOf, accountList } from './accounts.ts';

/** The resources that the process of a server has used so far. */
export interface Usage {
  readonly cpuMs: number;
  /** The largest CPU time between two turns of the event loop since the last call of `rest`. */
  readonly longestTurnMs: number;
  readonly residentBytes: number;
  /** The peak of the resident memory. */
  readonly peakBytes: number;
}

/** An ingress in a child process. */
export interface FuzzServer extends AsyncDisposable {
  /** The folder of the files of the server. Disposing of the server deletes it. */
  readonly folder: string;
  /** Kills the server, and keeps its files. */
  stop(): Promise<void>;
  readonly url: string;
  readonly port: number;
  usage(): Promise<Usage>;
  /** Returns the used resources after a garbage collection. */
  rest(): Promise<Usage>;
  /** Returns how often an agent of a session was requested. */
  needs(session: string): Promise<number>;
  /** Returns the internal errors of the server since the last call. */
  failures(): Promise<readonly string[]>;
  /** Replaces the accounts. The server looks for a new file once a second. */
  writeAccounts(text: string): void;
  /** Removes the file of accounts. */
  deleteAccounts(): void;
  /** Returns the bytes of every file of the store. Empty if the log is in memory. */
  storeFiles(): readonly Buffer[];
}

/** The options of a server. */
export interface StartServerOptions {
  /** Where events are kept: in memory, or in a file in a temporary folder. */
  readonly store?: 'memory' | 'file';
  readonly accounts?: readonly AccountOf[];
  /** The folder of a stopped server, whose files the new server uses. */
  readonly folder?: string;
  /** The program of the server. Default: an ingress. */
  readonly program?: URL;
}

/** A server that does not answer over IPC within this time counts as hanging. */
const ANSWER_MS = 30_000;

/** Servers to kill when this process exits, because a server that hangs does not notice that its parent has gone. */
const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Starts an ingress. Fulfils when the ingress listens. */
export async function startServer(options: StartServerOptions = {}): Promise<FuzzServer> {
  const {
    store = 'memory',
    accounts = accountList(),
    program = new URL('./served-ingress.mjs', import.meta.url),
  } = options;
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'fuzz-'));
  const accountsFile = join(folder, 'accounts.json');
  const writeAccounts = (text: string) => writeFileSync(accountsFile, text, { mode: 0o600 });
  if (options.folder === undefined) writeAccounts(JSON.stringify({ accounts }));
  const child = fork(fileURLToPath(program), [accountsFile, ...(store === 'file' ? [join(folder, 'log.db')] : [])], {
    // Limits the heap, so that a server with a leak ends before it fills the memory of the machine.
    execArgv: ['--expose-gc', '--max-old-space-size=4096'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  running.add(child);
  const ended = once(child, 'exit').finally(() => running.delete(child));
  const [{ url }] = (await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error('the server did not start'))),
  ])) as [{ url: string }];
  const ask = asker(child);
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return {
    folder,
    stop,
    url,
    port: Number(new URL(url).port),
    usage: () => ask<Usage>('usage'),
    rest: () => ask<Usage>('rest'),
    needs: async (session) => (await ask<Record<string, number>>('needs'))[session] ?? 0,
    failures: () => ask<readonly string[]>('failures'),
    writeAccounts,
    deleteAccounts: () => rmSync(accountsFile),
    storeFiles: () =>
      readdirSync(folder)
        .filter((name) => name.startsWith('log.db'))
        .map((name) => readFileSync(join(folder, name))),
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function asker(child: ChildProcess) {
  const waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  let asked = 0;
  child.on('message', ({ id, answer }: { id: number; answer: unknown }) => {
    waiting.get(id)?.resolve(answer);
    waiting.delete(id);
  });
  child.once('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`the server has ended (${code ?? signal})`));
    waiting.clear();
  });
  return <Answer>(question: string) =>
    new Promise<Answer>((resolve, reject) => {
      const id = asked++;
      const timer = setTimeout(() => reject(new Error(`the server hangs: no answer in ${ANSWER_MS} ms`)), ANSWER_MS);
      const settled = () => clearTimeout(timer);
      waiting.set(id, {
        resolve: (answer) => (settled(), resolve(answer as Answer)),
        reject: (error) => (settled(), reject(error)),
      });
      if (!child.connected) return waiting.get(id)?.reject(new Error('the server has ended'));
      child.send({ id, ask: question }, () => {});
    });
}
