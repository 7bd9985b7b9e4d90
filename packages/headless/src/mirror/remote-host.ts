import { type Outgoing, requestIdOf } from '@proto/core/internal';
import { type Transport, TransportError } from '@proto/core/transport';
import { batchOfTexts, type Frame, memberOf, outgoing } from './mirror-messages.ts';

/** How much a mirror may be behind before it is given up, in UTF-16 units. */
const DEFAULT_MAX_MIRROR_BYTES = 64 * 1024 * 1024;

/** How far behind it may be, and who hears that it is gone. */
export interface RemoteHostOptions {
  /** Default 64 Mi UTF-16 units. */
  readonly maxBytes?: number | undefined;
  readonly onGone: (error: TransportError | undefined) => void;
}

/** The host that follows from elsewhere: nobody waits for it, and what it asks goes under ids that no other host has. */
export class RemoteHost {
  readonly #transport: Transport;
  readonly #options: RemoteHostOptions;
  /** Its requests that are being served: the id they go under here, and their own. */
  readonly #requests = new Map<unknown, unknown>();
  /** The same the other way round, so that taking one back needs no search; of an id that is used twice the first is in force. */
  readonly #byOwnId = new Map<unknown, unknown>();
  #behind = 0;
  #isGone = false;

  constructor(transport: Transport, options: RemoteHostOptions) {
    this.#transport = transport;
    this.#options = options;
    void transport.closed.then(({ by, error }) => {
      if (by !== 'local') this.#lose(error);
    });
  }

  /** Tells it something. One that is too far behind is given up. */
  tell(messages: readonly Outgoing[]): void {
    const { maxBytes = DEFAULT_MAX_MIRROR_BYTES } = this.#options;
    if (this.#isGone) return;
    const size = messages.reduce((sum, { text }) => sum + text.length, 0);
    this.#behind += size;
    if (this.#behind > maxBytes) {
      const error = new TransportError('overflow', `the mirror is ${this.#behind} bytes behind`);
      this.#transport.abort(error);
      return this.#lose(error);
    }
    const settled = () => void (this.#behind -= size);
    this.#transport.send(batchOfTexts(messages)).then(settled, settled);
  }

  /** A request of it, as the agent is asked. */
  asked(request: Frame): Frame {
    const own = `mirror-${crypto.randomUUID()}`;
    const id = requestIdOf(request);
    this.#requests.set(own, id);
    if (!this.#byOwnId.has(id)) this.#byOwnId.set(id, own);
    return { ...request, request_id: own };
  }

  /** That it takes a request back, as the agent is told; undefined where there is none to take back. */
  tookBack(cancel: Frame): Frame | undefined {
    const own = this.#byOwnId.get(requestIdOf(cancel));
    if (own === undefined) return undefined;
    this.#forget(own);
    return { ...cancel, request_id: own };
  }

  /** An answer of the agent, as it is told; undefined where another host has asked. */
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
