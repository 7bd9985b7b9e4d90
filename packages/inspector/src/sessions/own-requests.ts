import type { Incoming } from '@proto/core/transport';

// A visitor may send requests without end, which the agent never answers.
const MAX_OPEN = 1000;

/** The control requests that visitors have sent to the agent. Their answers are for the visitors, and the host never asked. */
export class OwnRequests {
  readonly #ids = new Set<string>();

  /** Notes a message that a visitor sends. */
  sent({ type, request_id: id }: Readonly<Record<string, unknown>>): void {
    if (type !== 'control_request' || typeof id !== 'string') return;
    this.#ids.add(id);
    if (this.#ids.size > MAX_OPEN) for (const oldest of [...this.#ids].slice(0, MAX_OPEN / 2)) this.#ids.delete(oldest);
  }

  /** Whether an item of the agent answers one of these requests. Parses the item only if it has such an id in it. */
  isAnswered(item: Incoming): boolean {
    if (this.#ids.size === 0 || item.kind !== 'message') return false;
    if (!item.text.includes('control_response') || ![...this.#ids].some((id) => item.text.includes(id))) return false;
    const { message } = item.read();
    const { request_id: id } = Object(message?.['response']) as { readonly request_id?: unknown };
    return message?.type === 'control_response' && typeof id === 'string' && this.#ids.delete(id);
  }
}
