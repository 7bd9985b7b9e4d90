import type { Random } from '../schedules/random.ts';
import type { NodeMachine } from './node-machine.ts';
import type { Scheduler } from './scheduler.ts';

/** The delays of a network. */
export class Network {
  readonly scheduler: Scheduler;
  readonly #random: Random;

  constructor(scheduler: Scheduler) {
    this.scheduler = scheduler;
    this.#random = scheduler.random('network');
  }

  /** Most delays are below about two milliseconds and a few are very long, so that any two events may happen in either order. */
  delay(): number {
    const [luck, share] = [this.#random(), this.#random()];
    if (luck < 0.8) return 0.1 + share * 2;
    return luck < 0.98 ? 2 + share * 30 : 30 + share * 400;
  }

  /** A direction that keeps the order in which everything was sent. If it goes through the node `via`, nothing passes while that node is stopped or dead. */
  lane(via?: NodeMachine): Lane {
    const last = new Lane(this);
    return via === undefined ? last : new Lane(this, (arrive) => via.enter(() => last.send(arrive)));
  }
}

/** One direction of a connection. */
export class Lane {
  readonly #network: Network;
  readonly #arriving: (arrive: () => void) => void;
  #last = 0;

  constructor(network: Network, arriving = (arrive: () => void) => arrive()) {
    this.#network = network;
    this.#arriving = arriving;
  }

  /** Calls `arrive` after a delay, and after everything that was sent before has arrived. */
  send(arrive: () => void): void {
    const { scheduler } = this.#network;
    this.#last = Math.max(this.#last, scheduler.time + this.#network.delay());
    scheduler.after(this.#last - scheduler.time, () => this.#arriving(arrive));
  }
}
