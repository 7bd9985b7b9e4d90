import type { Clock } from '@proto/core/reconnect';
import { withDeadline } from '@proto/core/network';
import { TransportError } from '@proto/core/transport';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { BodyReader } from './http.ts';

/** The maximum length of an event that is read, in UTF-16 units of its text: 64 Mi. */
export const DEFAULT_MAX_EVENT_BYTES = 64 * 1024 * 1024;

// Larger than the length of a field name plus the other fields of an event.
const MAX_FIELD_LENGTH = 1024;

// After the machine has slept, the stream has this much time to send something before it counts as silent.
const WAKING_MS = 5000;

export interface ReadEventsOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly silenceMs: number;
  readonly maxEventBytes: number;
  /** Returns a promise that settles when there is room for more events, or `undefined` if there is room now. */
  readonly room: () => Promise<void> | undefined;
  readonly onEvent: (event: EventSourceMessage) => void;
  /** The text of the event was dropped as it arrived. */
  readonly onTooLarge: () => void;
  readonly onRetry: (ms: number) => void;
  readonly onPiece: () => void;
}

/**
 * @throws {TransportError} `timeout` if the stream is silent for too long. Also throws the error of a stream that breaks, and the reason of the
 * signal.
 */
export async function readEvents(body: BodyReader, options: ReadEventsOptions): Promise<void> {
  try {
    await readToEnd(body, options);
  } finally {
    // Needed for a `fetch` that ignores its signal.
    body.cancel().catch(() => {});
  }
}

async function readToEnd(body: BodyReader, options: ReadEventsOptions): Promise<void> {
  const { clock, signal, silenceMs, room, onPiece } = options;
  const limits = { clock, ms: silenceMs, signal };
  const decoder = new TextDecoder();
  const feed = createFeed(options);
  for (;;) {
    // Time during which this side does not read does not count as silence.
    const full = room();
    if (full !== undefined) await withDeadline(full, limits, () => silenceMs);
    let due = clock.now() + silenceMs;
    const { done, value } = await withDeadline(body.read(), limits, () => {
      const late = clock.now() - due;
      if (late < silenceMs) throw new TransportError('timeout', `sse: nothing arrived for ${silenceMs} ms`);
      due = Infinity;
      return WAKING_MS;
    });
    if (done) return;
    feed(decoder.decode(value, { stream: true }));
    onPiece();
  }
}

/**
 * The text of an event that exceeds the limit is dropped up to its blank line, no matter how the text was split into pieces and which line ends it
 * uses.
 */
function createFeed({ maxEventBytes, onEvent, onTooLarge, onRetry }: ReadEventsOptions): (text: string) => void {
  const withLineFeeds = createLineFeeds();
  let tooLarge = false;
  // The last character that was dropped, because a blank line may be split between two pieces.
  let dropped = '';
  const parser = createParser({
    // The parser also counts field names, so its limit depends on how the text was split. `onEvent` applies the exact limit.
    maxBufferSize: maxEventBytes + MAX_FIELD_LENGTH,
    onEvent: (event) => (event.data.length > maxEventBytes ? onTooLarge() : onEvent(event)),
    onRetry,
    onError: ({ type }) => {
      tooLarge ||= type === 'max-buffer-size-exceeded';
    },
  });
  return (text) => {
    let rest = withLineFeeds(text);
    if (tooLarge) {
      const seen = dropped + rest;
      const blank = seen.indexOf('\n\n');
      dropped = seen.slice(-1);
      if (blank < 0) return;
      tooLarge = false;
      rest = seen.slice(blank + 2);
      parser.reset();
    }
    parser.feed(rest);
    if (!tooLarge) return;
    onTooLarge();
    dropped = rest.slice(-1);
  };
}

/** A line end is a carriage return, a line feed, or a carriage return followed by a line feed, possibly split between two pieces. */
function createLineFeeds(): (text: string) => string {
  let endsInReturn = false;
  return (text) => {
    if (text === '') return '';
    const rest = endsInReturn && text.startsWith('\n') ? text.slice(1) : text;
    endsInReturn = text.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  };
}
