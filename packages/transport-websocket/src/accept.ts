import type { RetainingTransport } from '@proto/core/internal';
import { defineTransport, type ResumableTransport, type TransportControl, TransportError } from '@proto/core/transport';
import { LinkDriver } from './link-driver.ts';
import type { LinkDriverOptions } from './link-driver-options.ts';
import { lostError } from './link-errors.ts';
import { RESUMABLE_PROTOCOL, type SocketLike } from './socket.ts';
import type { LinkEnd } from './socket-link.ts';

/** How long the server end waits for a client to come back: ten minutes. */
export const DEFAULT_MAX_AWAY_MS = 600_000;

/** How a client is waited for, and the limits. */
export interface AcceptingOptions extends LinkDriverOptions {
  /** How long a client may be away before the transport ends. Default `DEFAULT_MAX_AWAY_MS`. */
  readonly maxAwayMs?: number;
}

/** The server end of one session, whatever sockets it comes over, one after the other. */
export interface AcceptingTransport extends ResumableTransport, RetainingTransport {
  /** Takes an upgraded socket as the next link. One that is still there is closed with 4090: the last one counts. */
  accept(socket: SocketLike): void;
}

/** Makes the server end of a session; `accept` gives it the sockets of its client. */
export function createAcceptingTransport(options: AcceptingOptions = {}): AcceptingTransport {
  let driver!: AcceptingDriver;
  const transport = defineTransport('websocket', (control) => (driver = new AcceptingDriver(control, options)), {
    ...options,
    identifies: true,
  });
  return Object.assign(transport as ResumableTransport & RetainingTransport, {
    accept: (socket: SocketLike) => driver.accept(socket),
  });
}

/** The subprotocol to agree on, of those the client offers: for the server that answers the upgrade. False for none. */
export function selectProtocol(offered: Iterable<string>): string | false {
  return [...offered].includes(RESUMABLE_PROTOCOL) && RESUMABLE_PROTOCOL;
}

// The client is done, or is a process that leaves without a word.
const DONE = [1000, 1005];
const TAKEN_OVER = 4090;
const SESSION_GONE = 4001;

class AcceptingDriver extends LinkDriver {
  protected readonly retains = true;
  readonly #maxAwayMs: number;
  #timer: unknown;
  #down = false;

  constructor(control: TransportControl, options: AcceptingOptions) {
    super(control, options);
    this.#maxAwayMs = options.maxAwayMs ?? DEFAULT_MAX_AWAY_MS;
    this.#wait();
  }

  accept(socket: SocketLike): void {
    if (this.over) {
      // Without a listener an error would end a process.
      socket.addEventListener('error', () => {});
      return socket.close(SESSION_GONE);
    }
    if (this.detach(TAKEN_OVER)) this.#tellDown(new TransportError('lost', 'websocket: another connection took over'));
    this.attach(socket);
  }

  onUp(resumed: boolean): void {
    this.clock.clearTimeout(this.#timer);
    if (this.#down) this.control.receive([{ kind: 'link', state: 'up', attempt: 1, resumed }]);
    this.#down = false;
    this.control.opened();
  }

  protected onDown(end: LinkEnd, wasUp: boolean): void {
    if (wasUp && DONE.includes(end.code)) return this.release(undefined, end.code);
    this.#tellDown(lostError(end, true));
    this.#wait();
  }

  protected override release(error?: TransportError, status?: number): void {
    this.clock.clearTimeout(this.#timer);
    super.release(error, status);
  }

  #tellDown(cause: TransportError): void {
    if (this.everUp && !this.#down) this.control.receive([{ kind: 'link', state: 'down', attempt: 1, cause }]);
    this.#down = this.everUp;
  }

  #wait(): void {
    this.clock.clearTimeout(this.#timer);
    const late = () => this.release(new TransportError('lost', `websocket: no client for ${this.#maxAwayMs} ms`));
    this.#timer = this.clock.setTimeout(late, this.#maxAwayMs);
  }
}
