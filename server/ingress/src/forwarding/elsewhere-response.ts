import type { ForwardTo } from './forwarding.ts';

/**
 * The answer to a request for a WebSocket whose session another node owns: the whole connection must be forwarded. A server that does not know this
 * class refuses the request, and the client tries again.
 */
export class ElsewhereResponse extends Response {
  readonly to: ForwardTo;

  constructor(to: ForwardTo) {
    super(null, { status: 503, headers: { 'retry-after': '1' } });
    this.to = to;
  }
}
