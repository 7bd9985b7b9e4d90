import type { WireMessage } from '@proto/core';
import { type Batch, batchOf, type Incoming, incomingMessage, type Transport } from '@proto/core/transport';

/** A transport whose host can be made to interrupt and leave. */
export interface InterruptibleTransport {
  readonly transport: Transport;
  /**
   * Does as if the host had sent an interrupt which also empties the queue, and then ended its input. False when the input has
   * ended already, so that nobody would hear.
   */
  interrupt(): boolean;
}

const REQUEST_ID = 'interrupted-by-signal';
const INTERRUPT = JSON.stringify({
  type: 'control_request',
  request_id: REQUEST_ID,
  request: { subtype: 'interrupt', cancel_queued: true },
});

/** Lets a signal of the process interrupt the session. The answer to that request is nobody's, so it is not sent. */
export function createInterruptibleTransport(inner: Transport): InterruptibleTransport {
  let interrupted = false;
  let hasEnded = false;
  let wake = () => {};

  /** What comes next, or nothing when the interrupt comes first. Not by `Promise.race`, which would keep every batch. */
  function nextOf(
    batches: AsyncIterator<readonly Incoming[]>,
  ): Promise<IteratorResult<readonly Incoming[]> | undefined> {
    return new Promise((resolve, reject) => {
      wake = () => resolve(undefined);
      batches.next().then(resolve, reject);
      if (interrupted) wake();
    });
  }

  async function* incoming(): AsyncGenerator<readonly Incoming[], void, undefined> {
    const batches = inner.incoming[Symbol.asyncIterator]();
    try {
      for (let next = await nextOf(batches); !next?.done; next = await nextOf(batches)) {
        if (next === undefined) {
          hasEnded = true;
          yield [incomingMessage(INTERRUPT)];
          return;
        }
        yield next.value;
      }
      hasEnded = true;
    } finally {
      if (!hasEnded) await batches.return?.();
    }
  }

  const transport: Transport = {
    name: inner.name,
    identifies: inner.identifies,
    opened: inner.opened,
    closed: inner.closed,
    incoming: incoming(),
    async send(batch, options) {
      const rest = interrupted && batch.text.includes(REQUEST_ID) ? withoutAnswer(batch) : batch;
      if (rest.count > 0) await inner.send(rest, options);
    },
    flush: (options) => inner.flush(options),
    end: () => inner.end(),
    close: () => inner.close(),
    abort: (reason) => inner.abort(reason),
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  };
  return {
    transport,
    interrupt() {
      interrupted = true;
      wake();
      return !hasEnded;
    },
  };
}

function withoutAnswer(batch: Batch): Batch {
  const messages = Array.from(batch.messages(), ({ text }) => JSON.parse(text) as WireMessage);
  return batchOf(...messages.filter((message) => !isAnswer(message)));
}

function isAnswer({ type, response }: WireMessage): boolean {
  return type === 'control_response' && (response as { request_id?: unknown } | undefined)?.request_id === REQUEST_ID;
}
