import type { WireMessage } from '../framing/json-line.ts';
import type { IncomingNotice } from '../transport/transport.ts';
import { isRecord } from './control-frames.ts';
import type { PendingRequests } from './pending-requests.ts';
import type { RequestHandlers } from './request-handlers.ts';

// How many ids are kept of requests that are over, before they are looked for.
const SPARE_IDS = 256;

/** Both directions of the requests of one session, which a server may settle from beside. */
export interface NoticesOptions {
  readonly served: Pick<RequestHandlers, 'cancel'>;
  readonly pending: Pick<PendingRequests, 'size' | 'get' | 'settle'>;
}

/** What a session does about the news of a server: what others have answered is not asked any more, and what is refused is over. */
export class Notices {
  readonly #options: NoticesOptions;
  /** The requests of this side that wait, by the ids under which their messages travel. Made for the first of them. */
  #sent: Map<string, string> | undefined;

  constructor(options: NoticesOptions) {
    this.#options = options;
  }

  /** A message travels under an id. */
  sent({ type, request_id: requestId }: WireMessage, id: string): void {
    if (type !== 'control_request' || typeof requestId !== 'string') return;
    const { pending } = this.#options;
    const sent = (this.#sent ??= new Map());
    sent.set(id, requestId);
    if (sent.size <= SPARE_IDS + 2 * pending.size) return;
    for (const [sentAs, waiting] of sent) if (pending.get(waiting) === undefined) sent.delete(sentAs);
  }

  /** One came in. Those that are not known, or not as they should be, change nothing. */
  heard({ event, data }: IncomingNotice): void {
    if (!isRecord(data)) return;
    if (event === 'control_resolved') {
      // The worker takes back what it asked by a message; this says the same.
      const text = data['outcome'] === 'answered' ? 'answered elsewhere' : undefined;
      this.#options.served.cancel(data['request_id'], text);
    } else if (event === 'message_refused') this.#refused(String(data['event_id']), data['error']);
  }

  /** A request that the server does not hand on has no other answer. */
  #refused(id: string, why: unknown): void {
    const request_id = this.#sent?.get(id);
    if (request_id === undefined) return;
    this.#sent?.delete(id);
    const code = String(isRecord(why) ? why['type'] : why);
    const error = `the server did not take the request: ${code}`;
    this.#options.pending.settle({
      type: 'control_response',
      response: { subtype: 'error', request_id, error, error_code: code },
    });
  }
}
