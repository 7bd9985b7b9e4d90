import type { Incoming } from '@proto/core/transport';

// The limit is needed because a visitor may send any number of requests that the agent never answers.
const MAX_OPEN = 1000;

type Message = Readonly<Record<string, unknown>>;

/**
 * The control requests that visitors have sent to the agent. The agent does not distinguish visitors from the host, so a visitor could use an id of
 * the host. Each request therefore gets a new id, and its answer is not passed to the host, because the host never sent the request.
 */
export class VisitorRequests {
  /** The new ids of open requests, with the ids that visitors gave. */
  readonly #open = new Map<string, unknown>();

  /**
   * Returns a visitor's message in the form that is sent to the agent. Returns undefined for a message that would cancel a request that no visitor
   * has open, because the message could cancel a request from the host.
   */
  sent(message: Message): Message | undefined {
    const { type, request_id: id } = message;
    if (type === 'control_cancel_request') {
      const [own] = [...this.#open].findLast(([, given]) => given === id) ?? [];
      return own === undefined ? undefined : { ...message, request_id: own };
    }
    if (type !== 'control_request') return message;
    const own = `inspector-${crypto.randomUUID()}`;
    this.#open.set(own, id);
    if (this.#open.size > MAX_OPEN)
      for (const oldest of [...this.#open.keys()].slice(0, MAX_OPEN / 2)) this.#open.delete(oldest);
    return { ...message, request_id: own };
  }

  /** Whether an item from the agent answers one of these requests. The item is parsed only if its text contains the id of such a request. */
  isAnswered(item: Incoming): boolean {
    if (this.#open.size === 0 || item.kind !== 'message') return false;
    if (!item.text.includes('control_response') || !item.text.includes('inspector-')) return false;
    const { message } = item.read();
    const { request_id: id } = Object(message?.['response']) as { readonly request_id?: unknown };
    return message?.type === 'control_response' && typeof id === 'string' && this.#open.delete(id);
  }
}
