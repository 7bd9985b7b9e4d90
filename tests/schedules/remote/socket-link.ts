import { type FaultProxy, type ProxyFaults, startFaultProxy } from '@proto/testkit';
import type { Fetch } from '@proto/transport-sse';
import { undiciFetch } from '@proto/transport-sse/node';
import { BASE, type CUTS, type FATES, type Link } from './world.ts';

/** Longer than a request takes, and shorter than the time limit of a client. */
const PASSING_MS = 30;

/** The link of one client to a server over sockets, through a proxy. A fault of one request affects concurrent requests as well. */
export class SocketLink implements Link {
  readonly fetch: Fetch;
  readonly #proxy: Promise<FaultProxy>;
  #passing: NodeJS.Timeout | undefined;

  constructor(target: () => string) {
    const proxy = startFaultProxy(target);
    const inner = undiciFetch();
    this.#proxy = proxy;
    this.fetch = async (url, request) => inner(url.replace(BASE, (await proxy).url), request);
  }

  cut(how: (typeof CUTS)[number], bytes: number): void {
    void this.#proxy.then((proxy) => proxy.cut(how, bytes));
  }

  next(fate: (typeof FATES)[number]): void {
    if (fate === 'refused') this.cut('rst', 0);
    this.#misbehave(
      {
        refused: { refuses: true },
        swallowed: { silent: true },
        'answer lost': { cutAfterAnswerBytes: 0 },
        'answer swallowed': { cutAfterAnswerBytes: 0, cut: 'stall' as const },
      }[fate],
    );
    this.#passing = setTimeout(() => this.heal(), PASSING_MS);
  }

  read(yes: boolean): void {
    this.#misbehave({ silent: !yes });
  }

  heal(): void {
    this.#misbehave({});
  }

  async close(): Promise<void> {
    clearTimeout(this.#passing);
    await (await this.#proxy).close();
  }

  #misbehave(faults: ProxyFaults): void {
    clearTimeout(this.#passing);
    void this.#proxy.then((proxy) => proxy.misbehave(faults));
  }
}
