import type { MessageEvent } from './message-events.ts';

/**
 * Events as a server-sent event stream, one each time the reader asks. It ends with an error when `signal` aborts, and tells
 * `lost` when its reader leaves; in both cases nothing is waited for any more.
 */
export function eventStream(
  events: AsyncGenerator<MessageEvent, void, undefined>,
  signal: AbortSignal,
  lost: (reason: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const gone = aborted(signal);
  return new ReadableStream<Uint8Array>({
    start: (controller) => void gone.then(() => controller.error(signal.reason)),
    async pull(controller) {
      const next = await Promise.race([events.next(), gone]);
      if (next === undefined) return;
      if (next.done) return controller.close();
      controller.enqueue(encoder.encode(`event: ${next.value.type}\ndata: ${JSON.stringify(next.value)}\n\n`));
    },
    cancel: (reason) => lost(reason ?? new Error('the reader left')),
  });
}

/** Fulfils with nothing when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
