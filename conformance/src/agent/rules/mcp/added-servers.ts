import { onceFor } from '../../../once-for.ts';
import { byKeys } from '../../../by-keys.ts';
import { listOf, member, type Message, type Session } from '../../session-log.ts';
import { firstAfter } from '../../../positions.ts';
import { askedExchangesOf, type Exchange, exchangesOf, spansOf } from '../exchanges.ts';

/** The servers that an `initialize` has added to a running session. Lists of servers may lack them until the agent has connected to them. */
export class AddedServers {
  readonly #session: Session;
  /** The positions of the requests that have added the servers. */
  readonly #addedAt = new Map<string, number>();
  readonly #firstPrompt: number;
  readonly #firstTurn: number;
  #hasInitialized = false;

  constructor(session: Session) {
    this.#session = session;
    this.#firstPrompt = session.sent.find(({ message }) => message['type'] === 'user')?.at ?? Infinity;
    this.#firstTurn = session.received.find(({ message }) => message['state'] === 'running')?.at ?? Infinity;
  }

  has(name: string): boolean {
    return this.#addedAt.has(name);
  }

  /** An agent connects before its first turn only to the servers of an `initialize` that arrives first, and before the turn begins. */
  follow({ request, asked, at }: Exchange, known: ReadonlySet<string>): void {
    const isLater = this.#hasInitialized || this.#firstPrompt < asked || this.#firstTurn < at;
    for (const name of namesIn(request)) if (isLater && !known.has(name)) this.#addedAt.set(name, asked);
    this.#hasInitialized = true;
  }

  /** Removes the servers to which the agent has certainly connected before a position: it has read their tools and then answered another request. */
  removeConnected(at: number): void {
    for (const [name, addedAt] of this.#addedAt) {
      const listed = firstAfter(listsOf(this.#session).get(name) ?? [], addedAt);
      if (listed !== undefined && answersOf(this.#session).hasWithin(listed.at, at)) this.#addedAt.delete(name);
    }
  }
}

/** The names of the servers of an `initialize`. */
export function namesIn({ sdkMcpServers }: Message): readonly string[] {
  return listOf(sdkMcpServers).map(String);
}

const listsOf = onceFor((session: Session) =>
  byKeys(
    askedExchangesOf(session).filter(({ request }) => member(request, 'message', 'method') === 'tools/list'),
    ({ request }) => [request['server_name']],
  ),
);

const answersOf = onceFor((session: Session) => spansOf(exchangesOf(session)));
