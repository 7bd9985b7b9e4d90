import { type Incoming, type IncomingMessage, type Transport, wrapTransport } from '@proto/core/transport';

/** What happens to a message that is hit: it is lost, arrives twice, or arrives after the next message. */
export type WireFault = 'drop' | 'dup' | 'reorder';

/** Which messages are hit, and how. */
export interface FaultyWireOptions {
  readonly fault: WireFault;
  /** Called for each message that arrives, in order. Default: every message is hit. */
  readonly isHit?: (message: IncomingMessage) => boolean;
}

/** Wraps a transport so that it breaks the contract: messages that arrive are lost, doubled or moved. Shows that a test which counts messages notices. */
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
    // No message follows the last ones.
    if (late.length > 0) yield late;
  }
}
