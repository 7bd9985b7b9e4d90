import type { AccountChecks, Ending } from '../auth/account-checks.ts';
import type { Account } from '../auth/accounts.ts';
import { moving } from '../http/refusal.ts';
import type { NotOwner } from './not-owner.ts';

/** The header that names the node which forwarded a request. A request with this header is not forwarded again. */
const FORWARDED_BY = 'x-sjp-forwarded-by';

/** Where to send a request whose session another node owns. */
export interface ForwardTo {
  /** The address of the node that owns the session, without a path. */
  readonly url: string;
  /** The header to add to the request, and its value: a request with this header is not forwarded again. */
  readonly header: readonly [name: string, value: string];
  /** How long the node that owns the session may take to answer, in milliseconds. */
  readonly answerMs: number;
  /** How long an open stream may be silent, in milliseconds. */
  readonly silenceMs: number;
  /**
   * Call this when a stream has opened between the client and the node that owns the session. `end` is called when the stream has to end, because the
   * server shuts down or the account was revoked. Returns the function to call when the stream has ended.
   */
  opened(end: () => void): () => void;
  /** Call this when the node that owns the session cannot be reached, or has answered with status 503, because it may no longer own the session. */
  failed(): void;
}

export interface ForwardingOptions {
  readonly node: string;
  readonly url: string;
  readonly answerMs: number;
  readonly silenceMs: number;
  readonly accounts: AccountChecks;
  /** See `SessionClaims.doubt`. */
  readonly doubt: (session: string) => void;
}

interface Received {
  readonly headers: Pick<Headers, 'get'>;
}

interface ForwardedStream {
  readonly account: Account | undefined;
  readonly end: () => void;
}

/** Decides where requests for sessions of other nodes are sent, and keeps track of the streams that pass through this node. */
export class Forwarding {
  readonly #options: ForwardingOptions;
  readonly #streams = new Set<ForwardedStream>();

  constructor(options: ForwardingOptions) {
    this.#options = options;
  }

  /** How many streams pass through this node to other nodes. */
  get size(): number {
    return this.#streams.size;
  }

  /**
   * Where to send a request.
   * @throws {Refusal} with status 503 for a request that another node has sent here: the session is moving.
   */
  to({ session, url, account }: NotOwner, { headers }: Received): ForwardTo {
    const { node, url: own, answerMs, silenceMs, doubt } = this.#options;
    // If the URL is this node's own, the claims of an earlier run have not yet expired.
    if (url === own || headers.get(FORWARDED_BY) !== null) {
      doubt(session);
      throw moving();
    }
    return {
      url,
      header: [FORWARDED_BY, node],
      answerMs,
      silenceMs,
      opened: (end) => {
        const forget = this.#opened({ account, end });
        return () => {
          forget();
          // The other node may have ended the stream because it no longer owns the session.
          doubt(session);
        };
      },
      failed: () => doubt(session),
    };
  }

  /** Ends the streams of accounts that may no longer read, even if the node that owns the session has not noticed the change. */
  async endRevoked(whyEnded: (account: Account) => Promise<Ending | undefined>): Promise<void> {
    const look = async ({ account, end }: ForwardedStream) => {
      if (account !== undefined && (await whyEnded(account)) !== undefined) end();
    };
    await Promise.all(Array.from(this.#streams, look));
  }

  endAll(): void {
    for (const { end } of this.#streams) end();
  }

  #opened(stream: ForwardedStream): () => void {
    this.#streams.add(stream);
    if (stream.account !== undefined) this.#options.accounts.checkOpened(stream.account, stream);
    return () => this.#streams.delete(stream);
  }
}
