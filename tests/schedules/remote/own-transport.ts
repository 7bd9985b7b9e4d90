import type { WireMessage } from '@proto/core/framing';
import { type Cursor, isResumable, type Transport } from '@proto/core/transport';
import type { SseOptions } from '@proto/transport-sse';
import type { Reading, SessionRecord } from './session-record.ts';
import { BASE, type Link, type World } from './world.ts';

/** The options of our transports, which never stop retrying by themselves. */
export function ownOptions({ clock, timing }: World, link: Link, session: string): SseOptions {
  return {
    url: `${BASE}/v1/code/sessions/${session}`,
    fetch: link.fetch,
    clock,
    random: () => 0.5,
    baseMs: timing.retryMs,
    capMs: timing.retryMs * 20,
    silenceMs: timing.silenceMs,
    postTimeoutMs: timing.answerMs,
    connectTimeoutMs: timing.answerMs,
    reconnectDeadlineMs: Infinity,
    connectDeadlineMs: Infinity,
    retryFirstConnect: true,
  };
}

/** Records the items that a transport delivers while its reader lives, and acknowledges each message at once. */
export async function readAll(
  transport: Transport,
  reading: Reading,
  record: SessionRecord,
  onMessage: (message: WireMessage, sequence: number) => void,
  mayTake: () => Promise<void> | undefined = () => undefined,
): Promise<void> {
  // The transport reports a gap before the next message, whose number gives the end of the gap.
  let isMissing = false;
  for await (const items of transport.incoming) {
    for (const item of items) {
      await mayTake();
      // Items that are delivered after the reader's end are ignored.
      if (!reading.live) return;
      if (item.kind === 'malformed') record.problems.push(`${reading.name} received ${JSON.stringify(item)}`);
      if (item.kind === 'link' && item.resumed === false) isMissing = true;
      if (item.kind !== 'message' || item.cursor === undefined) continue;
      const message: WireMessage = item.read().message ?? { type: 'none' };
      const sequence = sequenceOf(item.cursor);
      if (isMissing)
        reading.gaps.push({ from: (reading.received.at(-1)?.sequence ?? reading.after) + 1, to: sequence - 1 });
      isMissing = false;
      onMessage(message, sequence);
      if (isResumable(transport)) transport.resumption.acknowledge(item.cursor);
    }
  }
}

/** The sequence number of a cursor. The name of the log may follow the number. */
export function sequenceOf(cursor: Cursor): number {
  return Number.parseInt(cursor, 10);
}
