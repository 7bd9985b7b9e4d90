import { type Accounts, createIngress, type Ingress } from '@proto/ingress';
import { NodeMachine } from './node-machine.ts';
import type { Scheduler } from './scheduler.ts';
import type { SimulatedStream } from './stream.ts';
import type { SimulatedSocket } from './socket.ts';
import { StoreConnection } from './store-connection.ts';
import type { SimulatedStore } from './store.ts';

/** The parts that all nodes share. */
export interface NodeContext {
  readonly scheduler: Scheduler;
  readonly store: SimulatedStore;
  readonly accounts: Accounts;
  readonly secret: string;
  readonly onError: (node: string, error: unknown) => void;
}

/** The lifetime of a claim, in milliseconds. */
export const TTL_MS = 10_000;

/** One run of a node: from its start until it is killed. */
export class NodeRun {
  readonly name: string;
  readonly url: string | undefined;
  readonly machine: NodeMachine;
  readonly store: StoreConnection;
  readonly ingress: Ingress;
  /** The open links of clients. */
  readonly connections = new Set<SimulatedStream | SimulatedSocket>();
  #die: (error: Error) => void = () => {};
  readonly #died = new Promise<never>((_, reject) => (this.#die = reject));

  /** @param url the address for other nodes, if there are any. */
  constructor(name: string, url: string | undefined, { scheduler, store, accounts, secret, onError }: NodeContext) {
    this.name = name;
    this.url = url;
    this.#died.catch(() => {});
    this.machine = new NodeMachine(name, scheduler);
    this.store = new StoreConnection(name, store, this.machine);
    this.ingress = createIngress({
      log: this.store.log,
      accounts: onMachine(accounts, this.machine),
      secret,
      clock: this.machine,
      now: () => this.machine.now(),
      onError: (error) => onError(name, error),
      ...(url !== undefined && {
        cluster: { url, ttlMs: TTL_MS, run: name, monotonic: () => Math.floor(scheduler.time), forward: unreachable },
      }),
    });
  }

  /** Runs work on the node, and settles as the work does. Rejects when the node dies first. */
  during<T>(work: () => Promise<T>): Promise<T> {
    const answer = new Promise<T>((resolve, reject) => {
      this.machine.enter(() => void work().then(resolve, reject));
    });
    return Promise.race([this.#died, answer]);
  }

  /** Ends this run at once. With `rst` the system closes the links. With `stall` the machine is gone too, and the links stay open. */
  kill(how: 'rst' | 'stall'): void {
    this.machine.kill();
    this.store.cut();
    for (const one of this.connections) one.orphan(how);
    if (how === 'rst') this.#die(new TypeError('terminated'));
  }
}

/** Wraps accounts, so that a stopped node learns of changes only when it runs again. */
function onMachine(accounts: Accounts, machine: NodeMachine): Accounts {
  return {
    authenticate: (token) => accounts.authenticate(token),
    isCurrent: (account) => accounts.isCurrent?.(account) ?? Promise.resolve(true),
    watch: (onChange) => accounts.watch?.((trouble) => machine.enter(() => onChange(trouble))) ?? (() => {}),
  };
}

/** Rejects: the simulated links forward requests, not the server itself. */
function unreachable(): Promise<Response> {
  return Promise.reject(new TypeError('fetch failed'));
}
