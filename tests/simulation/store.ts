import { createMemoryEventLog } from '@proto/ingress';
import type { EventLog, NewEvent, StoredEvent } from '@proto/ingress/event-log';
import type { Random } from '../schedules/random.ts';
import type { Kept } from '../schedules/remote/world.ts';
import type { Network } from './lane.ts';
import type { Trace } from './trace.ts';

/** Small enough that two long series of messages push out older events, and large enough that a checkpoint is stored before that. */
const MAX_BYTES = 64 * 1024;

/**
 * Planted faults, which the checks must find: the store accepts writes without the claim, stores duplicates, or acknowledges an append that it has not
 * stored.
 */
export const STORE_FAULTS = ['no fence', 'no duplicates', 'forgets'] as const;
export type StoreFault = (typeof STORE_FAULTS)[number];

/** The options of a store. */
export interface StoreOptions {
  readonly isShared: boolean;
  /** Called when a node writes to a session that another node has. */
  readonly onTwoWriters: (what: string) => void;
  readonly fault?: StoreFault | undefined;
}

/** The store: it outlives the nodes, keeps what it has committed, and drops old events. It also has a record of all events it ever had. */
export class SimulatedStore {
  readonly network: Network;
  readonly trace: Trace;
  readonly kept: Kept;
  /** Whether several nodes share it over a network; otherwise it is the file of one node. */
  readonly isShared: boolean;
  readonly #log: ReturnType<typeof createMemoryEventLog>;
  readonly #all = new Map<string, StoredEvent[]>();
  readonly #fault: StoreFault | undefined;
  /** The node that has last written to each session, and its epoch. */
  readonly #writers = new Map<string, { readonly node: string; readonly epoch: number }>();
  readonly #onTwoWriters: (what: string) => void;
  #made = 0;
  readonly #random: Random;

  constructor(network: Network, trace: Trace, { isShared, fault, onTwoWriters }: StoreOptions) {
    this.#onTwoWriters = onTwoWriters;
    this.isShared = isShared;
    this.network = network;
    this.trace = trace;
    this.#random = network.scheduler.random('store');
    this.#fault = fault;
    const log = createMemoryEventLog({ now: () => network.scheduler.now(), maxBytes: MAX_BYTES });
    this.#log = log;
    const eventsOf = (session: string) => this.#all.get(session) ?? [];
    this.kept = {
      events: async (session) => [...eventsOf(session)],
      last: async (session) => eventsOf(session).length,
      dropped: async (session) => (await log.read(session, 0, { maxEvents: 1 })).missing?.to ?? 0,
      placeOf: (session, id) => eventsOf(session).find((event) => event.id === id)?.sequence,
    };
  }

  /** Returns the store for one more node, with answers that take no time. */
  connect(node: string): EventLog {
    const log = this.#log.another();
    const condition = (given: Parameters<EventLog['append']>[2]) =>
      this.#fault === 'no fence' && given !== undefined ? { ...given, epoch: undefined } : given;
    return {
      ...log,
      writeDocument: async (stream, name, text, given) => {
        await log.writeDocument(stream, name, text, condition(given));
        this.#wrote(node, stream, given?.epoch);
      },
      append: async (stream, given, when) => {
        if (this.#fault === 'forgets' && this.#random() < 0.05) return this.#forgotten(stream, given);
        const events = this.#fault === 'no duplicates' ? given.map((event) => this.#renamed(event)) : given;
        const appended = await log.append(stream, events, condition(when));
        this.#record(stream, given, appended);
        this.#wrote(node, stream, when?.epoch);
        return appended;
      },
    };
  }

  /** Checks that nobody else writes to a session during the tenure of a node, and that nobody writes after a later tenure has begun. */
  #wrote(node: string, stream: string, epoch: number | undefined): void {
    const [name = ''] = stream.split('/');
    // Every node writes to the streams of the server itself, and a single node needs no claims.
    if (name.startsWith('@') || !this.isShared) return;
    const { node: last = node, epoch: present = 0 } = this.#writers.get(name) ?? {};
    const isRight = epoch !== undefined && (epoch > present || (epoch === present && last === node));
    if (!isRight)
      this.#onTwoWriters(`${node} writes to ${name} in tenure ${epoch}, after ${last} in tenure ${present}`);
    this.#writers.set(name, { node, epoch: epoch ?? present });
  }

  #forgotten(stream: string, events: readonly NewEvent[]) {
    const last = this.#all.get(stream)?.length ?? 0;
    const createdAt = this.network.scheduler.now();
    return events.map(({ id }, index) => ({ id, sequence: last + 1 + index, createdAt, duplicate: false }));
  }

  /** The node that has written to a session last. */
  writerOf(session: string): string | undefined {
    return this.#writers.get(session)?.node;
  }

  #renamed(event: NewEvent): NewEvent {
    return { ...event, id: `${event.id}-${++this.#made}` };
  }

  #record(stream: string, events: readonly NewEvent[], appended: Awaited<ReturnType<EventLog['append']>>): void {
    const known = this.#all.get(stream) ?? [];
    this.#all.set(stream, known);
    for (const [index, { id, sequence, createdAt, duplicate, taken }] of appended.entries()) {
      const event = events[index];
      if (event === undefined || duplicate || taken === true) continue;
      const { type, source, payload, attributes, owner } = event;
      const rest = { ...(attributes !== undefined && { attributes }), ...(owner !== undefined && { owner }) };
      known.push({ sequence, id, type, source, payload, createdAt, ...rest });
    }
  }
}
