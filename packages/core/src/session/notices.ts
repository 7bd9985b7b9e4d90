import type { WireMessage } from '../framing/json-line.ts';
import { settledRequestOf } from '../transport/lines/settled-request.ts';
import type { IncomingNotice } from '../transport/transport.ts';
import { isRecord } from './control-frames.ts';
import type { PendingRequests } from './pending-requests.ts';
import type { RequestHandlers } from './request-handlers.ts';

// How many ids of ended requests may accumulate before they are searched for and removed.
const SPARE_IDS = 256;

export interface NoticesOptions {
  readonly served: Pick<RequestHandlers, 'cancel'>;
  readonly pending: Pick<PendingRequests, 'size' | 'get' | 'settle'>;
}

/** Processes notices from a server. Cancels a request that another client has answered, and rejects a request that the server has refused. */
export class Notices {
  readonly #options: NoticesOptions;
  /** This side's pending requests, by the ids under which their messages are sent. The map is created for the first request. */
  #sent: Map<string, string> | undefined;

  constructor(options: NoticesOptions) {
    this.#options = options;
  }

  sent({ type, request_id: requestId }: WireMessage, id: string): void {
    if (type !== 'control_request' || typeof requestId !== 'string') return;
    const { pending } = this.#options;
    const sent = (this.#sent ??= new Map());
    sent.set(id, requestId);
    if (sent.size <= SPARE_IDS + 2 * pending.size) return;
    for (const [sentAs, waiting] of sent) if (pending.get(waiting) === undefined) sent.delete(sentAs);
  }

  /** A notice of an unknown kind or of the wrong shape changes nothing. */
  receive({ event, data }: IncomingNotice): void {
    const settled = settledRequestOf(event, data);
    if (settled !== undefined) {
      // The worker also cancels its request with a message; the notice has the same effect.
      this.#options.served.cancel(settled.requestId, settled.isAnswered ? 'answered elsewhere' : undefined);
    } else if (event === 'message_refused' && isRecord(data)) this.#refused(String(data['event_id']), data['error']);
  }

  /** The server does not pass the request on, so no other answer will arrive. */
  #refused(id: string, why: unknown): void {
    const request_id = this.#sent?.get(id);
    if (request_id === undefined) return;
    this.#sent?.delete(id);
    const code = String(isRecord(why) ? why['type'] : why);
    const error = `the server did not accept the request: ${code}`;
    this.#options.pending.settle({
      type: 'control_response',
      response: { subtype: 'error', request_id, error, error_code: code },
    });
  }
}
