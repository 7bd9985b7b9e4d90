import { type Transport, wrapTransport } from '@proto/core/transport';

/** Wraps the host's end of a connection: adds the id of each cancel to `strays` that is not of a request that the agent has sent. */
export function watchCancels(transport: Transport, strays: unknown[]): Transport {
  return wrapTransport(transport, { incoming: watched(transport, strays) });
}

async function* watched(
  { incoming }: Transport,
  strays: unknown[],
): Transport['incoming'] extends AsyncIterable<infer T> ? AsyncGenerator<T> : never {
  const asked = new Set<unknown>();
  for await (const items of incoming) {
    for (const item of items) {
      if (item.kind !== 'message' || !item.text.includes('control_')) continue;
      const { type, request_id: id } = Object(item.read().message) as {
        readonly type?: unknown;
        readonly request_id?: unknown;
      };
      if (type === 'control_request') asked.add(id);
      if (type === 'control_cancel_request' && !asked.has(id)) strays.push(id);
    }
    yield items;
  }
}
