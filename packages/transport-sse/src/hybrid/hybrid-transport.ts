import type { BackoffOptions, Clock } from '@proto/core/reconnect';
import { checkDurations, sleep, systemClock } from '@proto/core/network';
import {
  type Batch,
  defineTransport,
  isResumable,
  type Transport,
  type TransportControl,
  type TransportDriver,
  TransportError,
  type TransportOptions,
} from '@proto/core/transport';
import { PostQueue, type PostLimits } from '../post-queue.ts';
import { noticesOf } from '../refused-entries.ts';
import { RequestRetries } from '../request-retries.ts';
import { Requests, type RequestsOptions } from '../requests.ts';
import { meaningOfPost, meaningOfReport } from '../response-status.ts';
import { OwnEchoes } from './own-echoes.ts';
import { postAddressOf } from './post-address.ts';

/**
 * How long `close` waits for the answer on the socket, in milliseconds. The wait is limited, because data that this side sends on the socket may not
 * arrive.
 */
const CLOSE_MS = 2000;

/** The options of a side that reads from a WebSocket and posts its messages. */
export interface HybridOptions
  extends Omit<RequestsOptions, 'url'>,
    BackoffOptions,
    PostLimits,
    Pick<TransportOptions, 'maxIncomingBytes'> {
  /** The clock and the timers. Default: the clock and timers of this machine. */
  readonly clock?: Clock | undefined;
}

/**
 * Creates one end of a remote session that reads over a WebSocket and posts its messages, for networks that block data sent over sockets. `open`
 * opens the transport to read from. Nothing is sent over this transport.
 *
 * @throws {RangeError} if a time is not a number of at least 0
 * @throws {TransportError} `connect-failed` if the address to post to cannot be derived from `url`
 */
export function createHybridTransport(url: string, open: () => Transport, options: HybridOptions): Transport {
  checkDurations(options, ['postTimeoutMs']);
  const address = postAddressOf(url);
  return defineTransport('hybrid', (control) => new HybridDriver(control, open(), { ...options, ...address }), {
    ...options,
    hasMessageIds: true,
  });
}

/** Both halves start and end together. If one half fails permanently, the other half is closed. */
class HybridDriver implements TransportDriver {
  readonly #control: TransportControl;
  readonly #reader: Transport;
  readonly #echoes: OwnEchoes | undefined;
  readonly #posts: PostQueue;
  readonly #over = new AbortController();
  readonly #clock: Clock;
  #isClosing = false;
  #error: TransportError | undefined;
  #full: Promise<void> | undefined;
  #makeRoom: () => void = () => {};

  constructor(control: TransportControl, reader: Transport, options: HybridOptions & ReturnType<typeof postAddressOf>) {
    const { clock = systemClock, isViewer } = options;
    const { signal } = this.#over;
    const requests = new Requests(options, clock);
    const onPermanent = (error: TransportError) => this.#giveUp(error);
    const retries = new RequestRetries({ ...options, requests, clock, signal, onPermanent });
    const echoes = isViewer ? new OwnEchoes() : undefined;
    this.#control = control;
    this.#clock = clock;
    this.#reader = reader;
    this.#echoes = echoes;
    this.#posts = new PostQueue({
      ...options,
      retries,
      path: '/events',
      meaningOf: isViewer ? meaningOfPost : meaningOfReport,
      about: ({ sessionId }) => (isViewer ? `"session_id":${JSON.stringify(sessionId)},` : ''),
      isBare: !isViewer,
      onSending: (id, text) => echoes?.expect(id, text),
      onRefused: (refused) => control.receive(noticesOf(refused)),
    });
    reader.opened.then(
      () => control.opened(),
      () => {},
    );
    void this.#read(() => retries.wake());
  }

  get resumption() {
    return isResumable(this.#reader) ? this.#reader.resumption : undefined;
  }

  write(batch: Batch): Promise<void> {
    return this.#posts.write(batch);
  }

  async close(): Promise<void> {
    // Ends a read that waits for room: after `close`, the reader receives nothing more.
    this.resume();
    this.#isClosing = true;
    await sleep({ clock: this.#clock, ms: CLOSE_MS, signal: this.#over.signal }, this.#reader.close()).catch(() => {});
    this.#reader.abort();
  }

  abort(reason: TransportError): void {
    this.#giveUp(reason);
  }

  pause(): void {
    this.#full ??= new Promise((resolve) => {
      this.#makeRoom = resolve;
    });
  }

  resume(): void {
    this.#full = undefined;
    this.#makeRoom();
  }

  /** When the reading half ends, the transport ends. */
  async #read(onUp: () => void): Promise<void> {
    const echoes = this.#echoes;
    try {
      for await (const items of this.#reader.incoming) {
        if (items.some((item) => item.kind === 'link' && item.state === 'up')) onUp();
        this.#control.receive(echoes === undefined ? items : items.filter((item) => !echoes.isOwn(item)));
        await this.#full;
      }
    } catch {
      // `closed` reports the reason.
    }
    const close = await this.#reader.closed;
    const { status } = close;
    const error = this.#error ?? (this.#isClosing ? undefined : close.error);
    this.#over.abort(error ?? new TransportError('closed', 'hybrid: closed'));
    this.#control.closed(error, status === undefined ? {} : { status });
  }

  #giveUp(error: TransportError): void {
    this.#error ??= error;
    this.#over.abort(error);
    this.resume();
    this.#reader.abort(error);
  }
}
