import type { IngressContext } from '../http/ingress-context.ts';
import { LinkSink } from '../socket/link-sink.ts';
import type { EventReader } from '../stream/event-reader.ts';
import type { IngressFigures, OpenStreams } from './observer.ts';

/**
 * Counts the sessions and streams that a server has open now. The cost grows with the number of open streams, so call this every few seconds at most.
 */
export async function figuresOf({ sessions, log }: IngressContext): Promise<IngressFigures> {
  const counts = { viewer: { 'event-stream': 0, websocket: 0 }, worker: { 'event-stream': 0, websocket: 0 } };
  let queuedBytes = 0;
  const count = (reader: 'viewer' | 'worker', { sink }: EventReader) => {
    counts[reader][sink instanceof LinkSink ? 'websocket' : 'event-stream']++;
    queuedBytes += sink.queuedBytes ?? 0;
  };
  for (const { subscribers } of sessions.alive) {
    for (const reader of subscribers.openViewers) count('viewer', reader);
    for (const reader of subscribers.openWorkers) count('worker', reader);
  }
  const readers = ['viewer', 'worker'] as const;
  const kinds = ['event-stream', 'websocket'] as const;
  const streams = readers.flatMap((reader) =>
    kinds.map((kind): OpenStreams => ({ reader, kind, count: counts[reader][kind] })),
  );
  const store = await log.usage().catch(() => undefined);
  return { sessions: sessions.size, streams, queuedBytes, store };
}
