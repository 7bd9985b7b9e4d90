import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { migratePostgres } from '@proto/log-postgres';
import { freePort } from '@proto/test-support';
import type { TemporaryPostgres } from '@proto/test-support/postgres';
import { type RoundRobin, startRoundRobin } from './round-robin.ts';

const NODE = fileURLToPath(new URL('serve-node.mjs', import.meta.url));
export const TOKEN = 'driver-token-0123456789';

/** How to start the nodes. */
export interface NodeProcessesOptions {
  readonly server: TemporaryPostgres;
  readonly count: number;
  readonly ttlMs?: number | undefined;
  /** A planted fault of the nodes. */
  readonly fault?: 'no fence' | undefined;
  /** How long the proxy waits for a node that does not answer. */
  readonly answerMs: number;
}

/** Nodes on one database behind a proxy, each in its own process. The methods select a node by its number, from 1. */
export class NodeProcesses implements AsyncDisposable {
  readonly schema = randomUUID();
  readonly #options: NodeProcessesOptions;
  readonly #children: (ChildProcess | undefined)[] = [];
  readonly #runs: string[] = [];
  readonly #ports: number[] = [];
  #proxy: RoundRobin | undefined;

  private constructor(options: NodeProcessesOptions) {
    this.#options = options;
  }

  static async start(options: NodeProcessesOptions): Promise<NodeProcesses> {
    const nodes = new NodeProcesses(options);
    try {
      await migratePostgres({ url: options.server.url, schema: nodes.schema });
      for (let n = 0; n < options.count; n++) nodes.#ports.push(await freePort());
      await Promise.all(nodes.#ports.map((_, index) => nodes.restart(index + 1)));
      nodes.#proxy = await startRoundRobin(nodes.#urls(), { answerMs: options.answerMs });
      return nodes;
    } catch (error) {
      await nodes[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The address of the proxy. */
  get url(): string {
    return (this.#proxy as RoundRobin).url;
  }

  /** The number of the node with a run, as the claims in the store name it; 0 for a run that is over. */
  withRun(claimedBy: string): number {
    return this.#runs.indexOf(claimedBy.slice(0, claimedBy.indexOf('@'))) + 1;
  }

  /** Starts a node that is not running, under the name of a new run. */
  async restart(number: number): Promise<void> {
    if (this.#children[number - 1] !== undefined) return;
    const { server, ttlMs, fault } = this.#options;
    const run = `n${number}-${randomUUID()}`;
    const port = this.#ports[number - 1];
    const options = { database: server.url, schema: this.schema, port, run, ttlMs, token: TOKEN, fault };
    const child = spawn(process.execPath, [NODE, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#children[number - 1] = child;
    this.#runs[number - 1] = run;
    let errors = '';
    child.stderr?.on('data', (data) => (errors = `${errors}${String(data)}`.slice(-5000)));
    const exited = once(child, 'exit').then(() => {
      if (this.#children[number - 1] === child) this.#children[number - 1] = undefined;
      return 'exited';
    });
    const listens = once(child.stdout as NodeJS.ReadableStream, 'data');
    // The database may be unavailable at this moment.
    if ((await Promise.race([listens, exited])) !== 'exited') return;
    // The code that killed the node also restarts it.
    if (child.signalCode === 'SIGKILL') return;
    if (!/ECONNREFUSED|ECONNRESET|57P0|terminat|starting up|shutting down/.test(errors))
      throw new Error(`a node ended:\n${errors}`);
    await delay(100);
    await this.restart(number);
  }

  /** Ends a node at once, and starts it again. */
  async kill(number: number): Promise<void> {
    const child = this.#children[number - 1];
    if (child === undefined) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    this.#children[number - 1] = undefined;
  }

  signal(number: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#children[number - 1]?.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#ports.map((_, index) => this.kill(index + 1)));
    await this.#proxy?.[Symbol.asyncDispose]();
  }

  #urls(): string[] {
    return this.#ports.map((port) => `http://127.0.0.1:${port}`);
  }
}
