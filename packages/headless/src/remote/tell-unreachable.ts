import { type Incoming, type Transport, wrapTransport } from '@proto/core/transport';

/**
 * A transport as it is, but that a first attempt which fails is told at once: nobody reads it before it is up, which may take half a minute.
 * The first items are taken ahead of whoever reads them, and no more.
 */
export function tellUnreachable(transport: Transport, tell: (reason: string) => void): Transport {
  const source = transport.incoming[Symbol.asyncIterator]();
  const first = source.next();
  first.then(
    ({ done, value }) => {
      const failure = done === true ? undefined : value.find(({ kind }) => kind === 'link');
      if (failure?.kind === 'link' && failure.state === 'down') tell(failure.cause?.message ?? 'no reason is known');
    },
    // Whoever reads it hears of that.
    () => {},
  );
  async function* incoming(): AsyncGenerator<readonly Incoming[], undefined> {
    try {
      for (let next = first; ; next = source.next()) {
        const { done, value } = await next;
        if (done === true) return;
        yield value;
      }
    } finally {
      await source.return?.();
    }
  }
  return wrapTransport(transport, { incoming: incoming() });
}
