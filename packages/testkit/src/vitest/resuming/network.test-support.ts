import { TransportError } from '@proto/core/transport';
import { type Attach, Link } from './link.test-support.ts';

/** Tests can cause the connections to fail. */
export class Network {
  reachable = true;
  refusing = false;
  readonly tokens: string[] = [];
  readonly #server: Attach;
  #link: Link | undefined;

  constructor(server: Attach) {
    this.#server = server;
  }

  /** Rejects if the attempt fails. */
  async dial(token: string, client: Attach): Promise<void> {
    this.tokens.push(token);
    await new Promise((resolve) => setImmediate(resolve));
    if (this.refusing) throw new TransportError('rejected', 'resuming: refused', { status: 403 });
    if (!this.reachable) throw new TransportError('connect-failed', 'resuming: nobody answers');
    this.#link = new Link(client, this.#server);
  }

  cut(): void {
    this.#link?.cut();
  }

  silence(): void {
    this.#link?.silence();
  }

  inject(text: string): void {
    this.#link?.inject(text);
  }
}
