import { onceFor } from '../../../once-for.ts';
import { byKeys } from '../../../by-keys.ts';
import { member, type Session } from '../../session-log.ts';
import { firstAfter } from '../../../positions.ts';
import { askedExchangesOf, type Exchange, exchangesOf, spansOf } from '../exchanges.ts';

/** The servers that an `initialize` has added to a running session. Lists of servers may lack them until the agent has connected to them. */
export class AddedServers {
  readonly #session: Session;
  /** The positions of the requests that have added the servers. */
  readonly #addedAt = new Map<string, number>();

  constructor(session: Session) {
    this.#session = session;
  }

  has(name: string): boolean {
    return this.#addedAt.has(name);
  }

  add(name: string, { asked }: Exchange): void {
    this.#addedAt.set(name, asked);
  }

  /** Removes the servers to which the agent has certainly connected before a position: it has read their tools and then answered another request. */
  removeConnected(at: number): void {
    for (const [name, addedAt] of this.#addedAt) {
      const listed = firstAfter(listsOf(this.#session).get(name) ?? [], addedAt);
      if (listed !== undefined && answersOf(this.#session).hasWithin(listed.at, at)) this.#addedAt.delete(name);
    }
  }
}

const listsOf = onceFor((session: Session) =>
  byKeys(
    askedExchangesOf(session).filter(({ request }) => member(request, 'message', 'method') === 'tools/list'),
    ({ request }) => [request['server_name']],
  ),
);

const answersOf = onceFor((session: Session) => spansOf(exchangesOf(session)));
