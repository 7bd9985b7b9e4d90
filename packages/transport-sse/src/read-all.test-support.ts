import type { Incoming, IncomingLink, Transport } from '@proto/core/transport';

export interface Read {
  readonly items: readonly Incoming[];
  readonly numbers: () => unknown[];
  readonly links: () => IncomingLink[];
}

/** `closed` says how the transport ended. */
export function readAll(transport: Transport): Read {
  const items: Incoming[] = [];
  void (async () => {
    for await (const some of transport.incoming) items.push(...some);
  })().catch(() => {});
  return {
    items,
    numbers: () => items.flatMap((item) => (item.kind === 'message' ? [item.read().message?.['n']] : [])),
    links: () => items.filter((item) => item.kind === 'link'),
  };
}
