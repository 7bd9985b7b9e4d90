import { type Clock, withDeadline } from '@proto/core/internal';
import { TransportError } from '@proto/core/transport';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { BodyReader } from './http.ts';

/** The longest event taken, in UTF-16 units of its text. */
export const DEFAULT_MAX_EVENT_BYTES = 64 * 1024 * 1024;
/** How long a stream may say nothing, in milliseconds: three times as long as servers wait with a comment. */
export const DEFAULT_SILENCE_MS = 45_000;

// After a sleep what arrived meanwhile is there to be read; a live server need not have said it in time.
const WAKING_MS = 5000;

/** How an event stream is read. */
export interface ReadEventsOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly silenceMs: number;
  readonly maxEventBytes: number;
  /** Settles when there is room for more. */
  readonly room: () => Promise<void> | undefined;
  readonly onEvent: (event: EventSourceMessage) => void;
  /** An event was above the limit; its text was dropped as it came. */
  readonly onTooLarge: () => void;
  readonly onRetry: (ms: number) => void;
  /** A piece was read, whatever was in it. */
  readonly onPiece: () => void;
}

/** Reads until the stream ends. Rejects when it breaks, is silent for too long (`timeout`), or the signal aborts. */
export async function readEvents(body: BodyReader, options: ReadEventsOptions): Promise<void> {
  try {
    await readToEnd(body, options);
  } finally {
    // For a `fetch` that does not heed its signal.
    body.cancel().catch(() => {});
  }
}

async function readToEnd(body: BodyReader, options: ReadEventsOptions): Promise<void> {
  const { clock, signal, silenceMs, room, onPiece } = options;
  const limits = { clock, ms: silenceMs, signal };
  const decoder = new TextDecoder();
  const feed = createFeed(options);
  for (;;) {
    // Whoever does not read hears nothing, so the time does not count.
    const full = room();
    if (full !== undefined) await withDeadline(full, limits, () => silenceMs);
    let due = clock.now() + silenceMs;
    const { done, value } = await withDeadline(body.read(), limits, () => {
      const late = clock.now() - due;
      if (late < silenceMs) throw new TransportError('timeout', `sse: nothing was heard for ${silenceMs} ms`);
      due = Infinity;
      return WAKING_MS;
    });
    if (done) return;
    feed(decoder.decode(value, { stream: true }));
    onPiece();
  }
}

/** Text into events. One above the limit ends at its blank line, wherever the pieces were cut. */
function createFeed({ maxEventBytes, onEvent, onTooLarge, onRetry }: ReadEventsOptions): (text: string) => void {
  let tooLarge = false;
  // The end of what was dropped: a blank line may be cut in two.
  let dropped = '';
  const parser = createParser({
    maxBufferSize: maxEventBytes,
    onEvent: (event) => (event.data.length > maxEventBytes ? onTooLarge() : onEvent(event)),
    onRetry,
    onError: ({ type }) => {
      tooLarge ||= type === 'max-buffer-size-exceeded';
    },
  });
  return (text) => {
    let rest = text;
    if (tooLarge) {
      const seen = dropped + text;
      const blank = /\n\r?\n|\r\r/.exec(seen);
      dropped = seen.slice(-3);
      if (blank === null) return;
      tooLarge = false;
      rest = seen.slice(blank.index + blank[0].length);
      parser.reset();
    }
    parser.feed(rest);
    if (!tooLarge) return;
    onTooLarge();
    dropped = rest.slice(-3);
  };
}
