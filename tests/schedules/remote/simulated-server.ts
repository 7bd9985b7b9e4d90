import type { Clock } from '@proto/core/reconnect';
import { type Accounts, type AcceptSocket, createIngress, type EventLog, type Ingress } from '@proto/ingress';
import { SimulatedStore } from './simulated-store.ts';

/** Longer than a client needs to take a silent server for a server of plain lines, and to ask whether its messages have arrived. */
const HANG_MS = 20_000;

/** One run of a server. */
export class SimulatedServer {
  readonly #store: SimulatedStore;
  readonly #ingress: Ingress;
  #die: (error: Error) => void = () => {};
  readonly #died = new Promise<never>((_, reject) => (this.#die = reject));

  constructor(log: EventLog, clock: Clock, accounts: Accounts, secret: string) {
    this.#died.catch(() => {});
    this.#store = new SimulatedStore(log, clock);
    this.#ingress = createIngress({ log: this.#store.log, accounts, secret, clock, now: () => clock.now() });
  }

  fetch(request: Request, bindings: Parameters<Ingress['fetch']>[1]): Promise<Response> {
    return Promise.race([this.#died, this.#ingress.fetch(request, bindings)]);
  }

  /** Rejects if the server has stopped by the time it would answer. */
  upgrade(request: Request): Promise<AcceptSocket | Response | undefined> {
    return Promise.race([this.#died, Promise.resolve(this.#ingress.upgrade(request))]);
  }

  failWrite(): void {
    this.#store.failOnce();
  }

  hang(): void {
    this.#store.hang(HANG_MS);
  }

  kill(): void {
    this.#store.kill();
    this.#die(new TypeError('terminated'));
    void this.#ingress.drain();
  }

  drain(): Promise<void> {
    return this.#ingress.drain();
  }
}
