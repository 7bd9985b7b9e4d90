import type { Transport } from './transport.ts';

/** A transport that is used as the given one, but for the members that replace its own. */
export function wrapTransport(transport: Transport, members: Partial<Transport>): Transport {
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
    // So that a member the contract gains is missed here.
  } satisfies Transport & Record<keyof Transport, unknown>;
  return Object.defineProperties(own, Object.getOwnPropertyDescriptors(members));
}
