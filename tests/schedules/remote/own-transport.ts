import type { WireMessage } from '@proto/core/framing';
import { isResumable, type Transport } from '@proto/core/transport';
import type { SseOptions } from '@proto/transport-sse';
import type { Reading, SessionRecord } from './session-record.ts';
import { BASE, type Link, type World } from './world.ts';

/** What our transports are made with: they never give up by themselves. */
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
    maxDownMs: Infinity,
    maxOpeningMs: Infinity,
    firstAttempt: 'retry' as const,
  };
}

/** Takes down what a transport hands out, for as long as its reader lives, and is done with each message at once. */
export async function readAll(
  transport: Transport,
  reading: Reading,
  record: SessionRecord,
  onMessage: (message: WireMessage, sequence: number) => void,
  mayTake: () => Promise<void> | undefined = () => undefined,
): Promise<void> {
  // Told before the next message; what it was follows from that.
  let isMissing = false;
  for await (const items of transport.incoming) {
    for (const item of items) {
      await mayTake();
      // What is handed out behind its end is nobody's any more.
      if (!reading.live) return;
      if (item.kind === 'malformed') record.problems.push(`${reading.name} was handed ${JSON.stringify(item)}`);
      if (item.kind === 'link' && item.resumed === false) isMissing = true;
      if (item.kind !== 'message' || item.cursor === undefined) continue;
      const message: WireMessage = item.read().message ?? { type: 'none' };
      const sequence = Number(item.cursor);
      if (isMissing)
        reading.gaps.push({ from: (reading.heard.at(-1)?.sequence ?? reading.after) + 1, to: sequence - 1 });
      isMissing = false;
      onMessage(message, sequence);
      if (isResumable(transport)) transport.resumption.acknowledge(item.cursor);
    }
  }
}
