import type { TransportExtensions } from './transport-extensions.ts';
import type { Transport } from './transport.ts';

/** What a transport has, or may have. */
type Members = Transport & TransportExtensions;

/**
 * A transport that is used as the given one, but for the members that replace its own. It is resumable, watchable and so on for as long as
 * the given one is, unless such a member is replaced.
 */
export function wrapTransport(transport: Members, members: Partial<Members>): Transport {
  const own = {
    get name() {
      return transport.name;
    },
    get identifies() {
      return transport.identifies;
    },
    get opened() {
      return transport.opened;
    },
    get closed() {
      return transport.closed;
    },
    get incoming() {
      return transport.incoming;
    },
    get resumption() {
      return transport.resumption;
    },
    get retained() {
      return transport.retained;
    },
    get worker() {
      return transport.worker;
    },
    get liveness() {
      return transport.liveness;
    },
    send: (batch, options) => transport.send(batch, options),
    flush: (options) => transport.flush(options),
    end: () => transport.end(),
    close: () => transport.close(),
    abort: (reason) => transport.abort(reason),
    [Symbol.asyncDispose]() {
      return this.close();
    },
    // The compiler asks for each member, also for one that the contract gains.
  } satisfies Transport & Record<keyof Members, unknown>;
  return Object.defineProperties(own, Object.getOwnPropertyDescriptors(members));
}
