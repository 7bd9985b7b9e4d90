import { type Outgoing, requestIdOf } from '@proto/core/internal';
import { type Transport, TransportError } from '@proto/core/transport';
import { batchOfTexts, type Frame, memberOf, outgoing } from './mirror-messages.ts';

/** In UTF-16 units. Above this limit, the remote host is disconnected. */
const DEFAULT_MAX_MIRROR_BYTES = 64 * 1024 * 1024;

export interface RemoteHostOptions {
  /** In UTF-16 units of unsent messages. Default 67 108 864 (64 Mi). */
  readonly maxBytes?: number | undefined;
  readonly onGone: (error: TransportError | undefined) => void;
}

/** The session does not wait for this host. The requests of this host are given ids that no other host uses. */
export class RemoteHost {
  readonly #transport: Transport;
  readonly #options: RemoteHostOptions;
  /** The open requests: the remote host's ids, by the ids that were sent to the agent. */
  readonly #requests = new Map<unknown, unknown>();
  /** The ids that were sent to the agent, by the remote host's ids, for cancels. If an id is used twice, the first request is kept. */
  readonly #byOwnId = new Map<unknown, unknown>();
  #unsent = 0;
  #isGone = false;

  constructor(transport: Transport, options: RemoteHostOptions) {
    this.#transport = transport;
    this.#options = options;
    void transport.closed.then(({ by, error }) => {
      if (by !== 'local') this.#lose(error);
    });
  }

  /** Disconnects the remote host if too many messages are waiting. */
  send(messages: readonly Outgoing[]): void {
    const { maxBytes = DEFAULT_MAX_MIRROR_BYTES } = this.#options;
    if (this.#isGone) return;
    const size = messages.reduce((sum, { text }) => sum + text.length, 0);
    this.#unsent += size;
    if (this.#unsent > maxBytes) {
      const error = new TransportError(
        'overflow',
        `the mirror is too slow: ${this.#unsent} bytes are waiting to be sent`,
      );
      this.#transport.abort(error);
      return this.#lose(error);
    }
    const settled = () => void (this.#unsent -= size);
    this.#transport.send(batchOfTexts(messages)).then(settled, settled);
  }

  asked(request: Frame): Frame {
    const own = `mirror-${crypto.randomUUID()}`;
    const id = requestIdOf(request);
    this.#requests.set(own, id);
    if (!this.#byOwnId.has(id)) this.#byOwnId.set(id, own);
    return { ...request, request_id: own };
  }

  /** Returns `undefined` if no such request is open. */
  tookBack(cancel: Frame): Frame | undefined {
    const own = this.#byOwnId.get(requestIdOf(cancel));
    if (own === undefined) return undefined;
    this.#forget(own);
    return { ...cancel, request_id: own };
  }

  /** Returns `undefined` for an answer to the local host. */
  answered(answer: Frame): Outgoing | undefined {
    const response = memberOf(answer, 'response');
    const id = requestIdOf(response);
    if (!this.#requests.has(id)) return undefined;
    const own = this.#requests.get(id);
    this.#forget(id);
    return outgoing({ ...answer, response: { ...response, request_id: own } });
  }

  #forget(own: unknown): void {
    const id = this.#requests.get(own);
    this.#requests.delete(own);
    if (this.#byOwnId.get(id) === own) this.#byOwnId.delete(id);
  }

  #lose(error: TransportError | undefined): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#options.onGone(error);
  }
}
