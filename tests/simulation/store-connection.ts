import { type EventLog, EventLogError } from '@proto/ingress/event-log';
import type { Lane } from './lane.ts';
import type { NodeMachine } from './node-machine.ts';
import type { SimulatedStore } from './store.ts';

/** What happens to the next write: nothing of it is stored, or it is stored and its answer is lost. */
export const WRITE_FATES = ['fails', 'is lost'] as const;

/** The connection of one run of a node to the store. Writes keep their order, and may still arrive after their node was stopped or killed. */
export class StoreConnection {
  readonly log: EventLog;
  readonly #name: string;
  readonly #store: SimulatedStore;
  readonly #machine: NodeMachine;
  readonly #writes: Lane;
  #fates: (typeof WRITE_FATES)[number][] = [];
  #slowUntil = 0;
  #isCut = false;

  constructor(name: string, store: SimulatedStore, machine: NodeMachine) {
    this.#name = name;
    this.#store = store;
    this.#machine = machine;
    this.#writes = store.network.lane();
    const log = store.connect(name);
    const read = <T>(work: () => Promise<T>) => this.#ask(work);
    const write = <T>(what: string, work: () => Promise<T>) => this.#ask(work, what);
    this.log = {
      identity: log.identity,
      commonWith: (stream, identity) => read(() => log.commonWith(stream, identity)),
      append: (stream, events, condition) =>
        write(`append ${events.length}`, () => log.append(stream, events, condition)),
      writeDocument: (stream, document, text, condition) =>
        write(`write ${document}`, () => log.writeDocument(stream, document, text, condition)),
      read: (stream, after, limits) => read(() => log.read(stream, after, limits)),
      find: (stream, id) => read(() => log.find(stream, id)),
      readDocument: (stream, document) => read(() => log.readDocument(stream, document)),
      tail: (stream, after, signal) => this.#tail(log.tail(stream, after, signal)),
      claim: (stream, node, ttlMs) => write('claim', () => log.claim(stream, node, ttlMs)),
      release: (stream, epoch) => write('release', () => log.release(stream, epoch)),
      expire: () => read(() => log.expire()),
      listStreams: (query) => read(() => log.listStreams(query)),
      usage: () => read(() => log.usage()),
      close: () => log.close(),
      [Symbol.asyncDispose]: () => log.close(),
    };
  }

  /** Decides what happens to the next write. */
  next(fate: (typeof WRITE_FATES)[number]): void {
    this.#fates.push(fate);
  }

  /** Delays requests to the store, and its answers, until so many milliseconds have passed. */
  slow(ms: number): void {
    const { scheduler } = this.#store.network;
    this.#store.trace.fault(scheduler.time, 'slow store', this.#name);
    this.#slowUntil = scheduler.time + ms;
  }

  heal(): void {
    this.#fates = [];
  }

  /** The node is gone: requests that were not sent do not arrive. */
  cut(): void {
    this.#isCut = true;
  }

  #ask<T>(work: () => Promise<T>, what?: string): Promise<T> {
    const { network, trace } = this.#store;
    const { scheduler } = network;
    const fate = what === undefined ? undefined : this.#fates.shift();
    return new Promise<T>((resolve, reject) => {
      const answer = (settle: () => void) => network.lane().send(() => this.#machine.enter(settle));
      const fail = () => answer(() => reject(new EventLogError('failed', 'the connection to the store broke')));
      // When a node is killed, half of its requests are already on their way to a shared store. Writes to a file are not.
      const isOnItsWay = this.#store.isShared && network.delay() < 1.1;
      const arrive = async () => {
        if (this.#isCut && !isOnItsWay) return;
        if (what !== undefined) trace.note(scheduler.time, `${this.#name} ${what} arrives at the store`);
        if (fate !== undefined) trace.fault(scheduler.time, `a write ${fate}`, this.#name);
        if (fate === 'fails') return fail();
        try {
          const result = await work();
          if (fate === 'is lost') fail();
          else answer(() => resolve(result));
        } catch (error) {
          answer(() => reject(error));
        }
      };
      const go = () => {
        const late = Math.max(0, this.#slowUntil - scheduler.time);
        if (late > 0) scheduler.after(late, () => void arrive());
        else void arrive();
      };
      if (what === undefined) network.lane().send(go);
      else this.#writes.send(go);
    });
  }

  async *#tail(hints: AsyncIterable<number>): AsyncGenerator<number> {
    for await (const hint of hints) yield await this.#ask(async () => hint);
  }
}
