import type { Transport } from '@proto/core/transport';
import { Reader } from './reader.ts';
import type { TransportPair, TransportUnderTest } from './transport-under-test.ts';
import { within } from './within.ts';

export interface CaseLimits {
  /** How long a case waits for something that must happen, in milliseconds. */
  readonly patienceMs: number;
  /** How long a case waits to check that something does not happen, in milliseconds. */
  readonly quietMs: number;
  /** How many bytes a transport without a reader may accept before a send must stay pending. */
  readonly floodBytes: number;
}

export const DEFAULT_CASE_LIMITS: CaseLimits = { patienceMs: 10_000, quietMs: 50, floodBytes: 128 * 1024 * 1024 };

/** After the case, everything that the case opened is released. */
export class CaseContext {
  readonly under: TransportUnderTest;
  readonly limits: CaseLimits;
  readonly #transports: Transport[] = [];
  readonly #pairs: TransportPair[] = [];

  constructor(under: TransportUnderTest, limits: CaseLimits) {
    this.under = under;
    this.limits = limits;
  }

  /** The connection may not be established yet. */
  async open(): Promise<TransportPair> {
    const pair = await this.under.open();
    this.#pairs.push(pair);
    this.#transports.push(pair.local, pair.remote);
    return pair;
  }

  async connect(): Promise<TransportPair> {
    const pair = await this.open();
    await this.within(pair.local.opened, 'opened fulfils');
    await this.within(pair.remote.opened, 'opened fulfils on the other side');
    return pair;
  }

  /** Opens a transport that never gets a connection. */
  async connecting(): Promise<Transport> {
    const transport = await given(this.under.connecting, 'connecting').call(this.under);
    this.#transports.push(transport);
    return transport;
  }

  read(transport: Transport): Reader {
    return new Reader(transport, this.limits.patienceMs);
  }

  /** Reads the given number of messages, or all messages up to the end if the session ends together with the other side. */
  async left(reader: Reader, count: number): Promise<void> {
    await (this.under.sessionOutlives ? reader.take(count) : reader.rest());
  }

  async cut(pair: TransportPair): Promise<void> {
    await given(this.under.cut, 'cut').call(this.under, pair);
  }

  /** Cuts the connection, and prevents a new connection until the local side has reported the cut to its reader. */
  async lose(pair: TransportPair, here: Reader): Promise<void> {
    await this.reconnect.reachable(pair, false);
    await this.cut(pair);
    await here.until(() => here.links.some(({ state }) => state === 'down'), 'the link is reported as down');
  }

  async inject(pair: TransportPair): Promise<void> {
    await given(this.under.inject, 'inject').call(this.under, pair);
  }

  async notify(pair: TransportPair): Promise<void> {
    await given(this.under.notify, 'notify').call(this.under, pair);
  }

  get reconnect() {
    return given(this.under.reconnect, 'reconnect');
  }

  get givesUpWithinMs(): number {
    return given(this.under.givesUpWithinMs, 'givesUpWithinMs');
  }

  get silence() {
    return given(this.under.silence, 'silence');
  }

  within<T>(promise: PromiseLike<T>, what: string): Promise<T> {
    return within(this.limits.patienceMs, promise, what);
  }

  async allSettle(promises: Readonly<Record<string, PromiseLike<unknown>>>): Promise<void> {
    const waits = Object.entries(promises).map(([what, promise]) => {
      return this.within(Promise.allSettled([promise]), `${what} settles`);
    });
    await Promise.all(waits);
  }

  async release(): Promise<void> {
    // Other cases test `abort`. A failure here would only hide this case's own failure.
    const gone = this.#transports.map(async (transport) => {
      transport.abort('the case is over');
      await transport.closed;
    });
    await this.within(Promise.allSettled(gone), 'release').catch(() => {});
    for (const pair of this.#pairs) await pair.dispose?.();
  }
}

function given<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`the case needs "${name}", which the transport under test does not provide`);
  return value;
}
