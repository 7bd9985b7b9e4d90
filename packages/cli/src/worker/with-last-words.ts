import type { WireMessage } from '@proto/core';
import { type Incoming, type Transport, type TransportClose, wrapTransport } from '@proto/core/transport';
import { incomingOf } from '../network/incoming-of.ts';

/** What is said behind the last word of a peer that is gone, and what of its own words is not handed on. */
export interface LastWordsOptions {
  readonly words: (close: TransportClose) => readonly WireMessage[];
  readonly isHidden: (item: Incoming) => boolean;
}

/** A transport whose peer is seen to end cleanly, behind some words about how it really ended. */
export function withLastWords(transport: Transport, { words, isHidden }: LastWordsOptions): Transport {
  async function* incoming(): AsyncGenerator<readonly Incoming[], undefined> {
    try {
      for await (const items of transport.incoming) yield items.filter((item) => !isHidden(item));
    } catch {
      // `closed` tells it, too.
    }
    // One that has ended its output may not leave by itself.
    void transport.close();
    yield words(await transport.closed).map((message) => incomingOf(message));
  }
  return wrapTransport(transport, { incoming: incoming() });
}
