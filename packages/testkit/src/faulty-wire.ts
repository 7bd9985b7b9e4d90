import { type Incoming, type IncomingMessage, type Transport, wrapTransport } from '@proto/core/transport';

/** A fault: the message is lost (`drop`), arrives twice (`dup`), or arrives after the next message (`reorder`). */
export type WireFault = 'drop' | 'dup' | 'reorder';

/** Which messages are affected by which fault. */
export interface FaultyWireOptions {
  /** The fault that affects the selected messages. */
  readonly fault: WireFault;
  /** Called for each message that arrives, in order. Returns whether the fault affects the message. Default: the fault affects every message. */
  readonly isHit?: (message: IncomingMessage) => boolean;
}

/**
 * Wraps a transport so that it breaks the contract: incoming messages are lost, duplicated or reordered. Use this function to check that a test
 * detects such faults.
 */
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
    // No message follows the messages that are still held back.
    if (late.length > 0) yield late;
  }
}
