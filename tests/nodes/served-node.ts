import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '@proto/test-support';
import { bin } from '../remote/served-agents.ts';
import { TOKEN } from './node-processes.ts';

const AGENT = fileURLToPath(new URL('staying-agent.mjs', import.meta.url));

/** A process of `sjp serve` that shares its store, and starts an agent for each session. */
export class ServedNode implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #agents = new Map<string, number>();

  private constructor(url: string, child: ChildProcess, folder: string) {
    this.url = url;
    this.#child = child;
    this.#folder = folder;
  }

  /** Starts a node on a database. Its claims last a second. */
  static async start(database: string): Promise<ServedNode> {
    const folder = mkdtempSync(join(tmpdir(), 'node-'));
    const token = join(folder, 'token');
    writeFileSync(token, TOKEN, { mode: 0o600 });
    const store = new URL(database);
    const PGPASSWORD = decodeURIComponent(store.password);
    store.password = '';
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const shared = ['--store', store.href, '--node-url', url, '--node-ttl', '1s'];
    const flags = ['--json', '--listen', `127.0.0.1:${port}`, '--token-file', token, ...shared];
    const child = spawn(process.execPath, [bin('main'), 'serve', ...flags, '--', AGENT], {
      cwd: folder,
      env: { PATH: process.env['PATH'], SJP_HOME: folder, PGPASSWORD },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const node = new ServedNode(url, child, folder);
    const lines = createInterface(child.stdout as NodeJS.ReadableStream);
    lines.on('line', (line) => {
      const { type, session, pid } = JSON.parse(line) as { type: string; session: string; pid: number };
      if (type === 'agent_started') node.#agents.set(session, pid);
    });
    await once(lines, 'line');
    return node;
  }

  /** The process id of the last agent that the node has started for a session; undefined without one. */
  agentOf(session: string): number | undefined {
    return this.#agents.get(session);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = once(this.#child, 'exit');
      this.#child.kill('SIGKILL');
      await exited;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
