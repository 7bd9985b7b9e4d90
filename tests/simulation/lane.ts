import type { Random } from '../schedules/random.ts';
import type { NodeMachine } from './node-machine.ts';
import type { Scheduler } from './scheduler.ts';

/** How long things take on a network. */
export class Network {
  readonly scheduler: Scheduler;
  readonly #random: Random;

  constructor(scheduler: Scheduler) {
    this.scheduler = scheduler;
    this.#random = scheduler.random('network');
  }

  /** Most things take less than two milliseconds, and few of them take very long, so that any two things may happen in either order. */
  delay(): number {
    const [luck, share] = [this.#random(), this.#random()];
    if (luck < 0.8) return 0.1 + share * 2;
    return luck < 0.98 ? 2 + share * 30 : 30 + share * 400;
  }

  /** A direction in which everything arrives in the order in which it was sent. Without that node nothing passes that goes through a node. */
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

  /** Lets something arrive later, and after all that was sent before. */
  send(arrive: () => void): void {
    const { scheduler } = this.#network;
    this.#last = Math.max(this.#last, scheduler.time + this.#network.delay());
    scheduler.after(this.#last - scheduler.time, () => this.#arriving(arrive));
  }
}
