import { backoffMs } from '@proto/core/reconnect';
import { toTransportError } from '@proto/core/network';
import { type TransportControl, TransportError } from '@proto/core/transport';
import type { LinkEnd, LinkEvents } from './link.test-support.ts';
import type { Network } from './network.test-support.ts';
import { type Fault, ResumingEnd } from './resuming-end.test-support.ts';

const PING_MS = 5;
const MAX_SILENT_TICKS = 10;
/** How long nothing may arrive over a connection before it is considered lost. */
export const SILENCE_MS = MAX_SILENT_TICKS * PING_MS;

export class ResumingClient extends ResumingEnd {
  readonly #network: Network;
  readonly #token: () => string;
  #oldToken: string | undefined;
  #attempt = 1;
  #opened = false;
  #retry: NodeJS.Timeout | undefined;
  #watch: NodeJS.Timeout | undefined;
  #silentTicks = 0;
  #cause: TransportError | undefined;

  constructor(control: TransportControl, network: Network, token: () => string, maxBytes: number, fault?: Fault) {
    super(control, maxBytes, fault);
    this.#network = network;
    this.#token = token;
    void this.#dial();
  }

  get idle(): boolean {
    return this.link === undefined && this.#retry === undefined && this.#watch === undefined;
  }

  protected override onText(text: string): void {
    this.#silentTicks = 0;
    super.onText(text);
  }

  protected override onHello(whole: boolean): void {
    if (this.#opened) this.#reportLink({ state: 'up', resumed: whole || this.fault === 'claims to have resumed' });
    else this.control.opened();
    this.#opened = true;
    this.#attempt = 1;
  }

  protected override onDown(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
    if (this.over) return;
    const cause = this.#cause ?? new TransportError('lost', 'resuming: the link broke');
    this.#cause = undefined;
    this.#reportLink({ state: 'down', cause });
    this.#later();
  }

  protected override release(error?: TransportError): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    clearInterval(this.#watch);
    if (this.fault !== 'keeps its timer') this.#watch = undefined;
    super.release(error);
  }

  #reportLink(link: { state: 'down'; cause: TransportError } | { state: 'up'; resumed: boolean }): void {
    if (this.fault === 'does not say that it is up again' && link.state === 'up') return;
    this.control.receive([{ kind: 'link', attempt: this.#attempt, ...link }]);
  }

  #later(): void {
    const delay = backoffMs(this.#attempt, { baseMs: 5, capMs: 20, jitter: 0 });
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      void this.#dial();
    }, delay);
  }

  async #dial(): Promise<void> {
    const token = this.fault === 'asks once' ? (this.#oldToken ??= this.#token()) : this.#token();
    try {
      await this.#network.dial(token, (link) => this.#take(link));
    } catch (error) {
      if (this.over) return;
      const failed = toTransportError(error);
      if (!failed.retryable && this.fault !== 'insists') return this.release(failed);
      this.#attempt++;
      this.#later();
    }
  }

  #take(link: LinkEnd): LinkEvents {
    if (this.over) {
      queueMicrotask(() => link.drop());
      return { onText() {}, onDown() {} };
    }
    this.#listen(link);
    return this.attach(link);
  }

  /** Counts ticks instead of measuring time, because a busy process cannot receive anything. */
  #listen(link: LinkEnd): void {
    this.#silentTicks = 0;
    this.#watch = setInterval(() => {
      if (this.#silentTicks++ < MAX_SILENT_TICKS || this.fault === 'does not listen') return this.sendControl('ping');
      this.#cause = new TransportError('timeout', `resuming: nothing arrived for ${SILENCE_MS} ms`);
      link.drop();
    }, PING_MS);
  }
}
