import { type Incoming, type IncomingMessage, type Transport, wrapTransport } from '@proto/core/transport';

/** What becomes of a message that is hit: it is lost, comes twice, or comes behind the one that follows it. */
export type WireFault = 'drop' | 'dup' | 'reorder';

/** Which messages are hit, and how. */
export interface FaultyWireOptions {
  readonly fault: WireFault;
  /** Asked for each message that arrives, in order. Default: each. */
  readonly isHit?: (message: IncomingMessage) => boolean;
}

/** A transport that breaks the contract on purpose, so that whoever counts messages can be seen to count: what arrives is lost, doubled or moved. */
export function createFaultyWire(transport: Transport, { fault, isHit = () => true }: FaultyWireOptions): Transport {
  return wrapTransport(transport, { incoming: incoming() });

  async function* incoming(): AsyncGenerator<readonly Incoming[], undefined> {
    let late: Incoming[] = [];
    for await (const items of transport.incoming) {
      const out: Incoming[] = [];
      for (const item of items) {
        if (item.kind !== 'message' || !isHit(item)) {
          out.push(item, ...late);
          late = [];
        } else if (fault === 'dup') out.push(item, item);
        else if (fault === 'reorder') late.push(item);
      }
      yield out;
    }
    // Nothing follows them.
    if (late.length > 0) yield late;
  }
}
