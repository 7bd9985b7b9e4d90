import {
  attemptWithin,
  backoffMs,
  type BackoffOptions,
  type Clock,
  DEFAULT_BACKOFF_CAP_MS,
  type FirstAttempt,
  retryWithin,
  TransportError,
} from '@proto/core/transport';
import type { EventSourceMessage } from 'eventsource-parser';
import { sleep } from './within.ts';
import { readEvents, type ReadEventsOptions } from './read-events.ts';
import { endsFirst, RequestFailed, type RequestOptions, type Requests } from './requests.ts';
import { DEFAULT_MAX_RETRY_AFTER_MS } from './retry-after.ts';
import { Scope } from './scope.ts';

/** How long one attempt may take until it is answered: 15 seconds. */
export const DEFAULT_CONNECT_TIMEOUT_MS = 15_000;
/** How long attempts go on while no link was ever up: 30 seconds. */
export const DEFAULT_MAX_OPENING_MS = 30_000;
/** How long attempts go on after a link was up: ten minutes; sleep does not count. */
export const DEFAULT_MAX_DOWN_MS = 600_000;

// A link that lives as long, or brings something, has shown that it works. One that ends at once counts as another failed attempt,
// or a server that accepts and closes would be asked without a pause.
const STABLE_MS = 10_000;

/** How a stream is opened, and opened again. */
export interface EventStreamOptions
  extends BackoffOptions,
    Pick<ReadEventsOptions, 'silenceMs' | 'maxEventBytes' | 'room' | 'onTooLarge' | 'onPiece'>,
    Pick<RequestOptions, 'path' | 'classOf'> {
  readonly requests: Pick<Requests, 'open'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Has the cursor as well, for servers that look for it there. */
  readonly cursorParameter?: string;
  /** The last event that came; 0 before any. Asked on each attempt. */
  readonly cursor: () => number;
  readonly connectTimeoutMs: number;
  readonly maxOpeningMs: number;
  readonly maxDownMs: number;
  /** Default `end`. */
  readonly firstAttempt?: FirstAttempt | undefined;
  /** A link is up. */
  readonly onUp: (attempt: number) => void;
  /** True where it was something new. */
  readonly onEvent: (event: EventSourceMessage) => boolean;
  /** A link ended, or an attempt failed; the number is that of the next attempt. */
  readonly onDown: (cause: TransportError, attempt: number) => void;
}

/**
 * Follows an event stream over link after link, to the end of the session. Rejects with a `TransportError` when it gives up or is
 * refused for good, or with the reason of the signal.
 */
export async function followEvents(options: EventStreamOptions): Promise<void> {
  const { clock, signal, onDown, maxOpeningMs, maxDownMs, firstAttempt, capMs = DEFAULT_BACKOFF_CAP_MS } = options;
  // What the server asked for in `retry:`, for as long as it says nothing else.
  let leastMs = 0;
  let attempt = 1;
  let everUp = false;
  let downSince = clock.now();
  const scope = new Scope(signal);
  const budget = () => ({ budgetMs: everUp ? maxDownMs : maxOpeningMs, spentMs: clock.now() - downSince });
  for (;;) {
    const link = { upSince: Infinity, brought: false };
    const failure = await followOnce(
      { ...options, connectTimeoutMs: attemptWithin(options.connectTimeoutMs, budget()) },
      scope,
      attempt,
      link,
      (ms) => (leastMs = Math.min(ms, DEFAULT_MAX_RETRY_AFTER_MS)),
    );
    signal.throwIfAborted();
    const { error } = failure;
    if (failure.action === 'end') return;
    if (failure.action !== 'retry') throw error;
    everUp ||= link.upSince < Infinity;
    const ended = everUp ? undefined : endsFirst(failure, attempt === 1 ? firstAttempt : 'retry');
    if (ended !== undefined) throw ended;
    if (link.brought || clock.now() - link.upSince >= STABLE_MS) {
      attempt = 1;
      downSince = clock.now();
    } else attempt++;
    const delayMs = Math.max(backoffMs(attempt, options), leastMs);
    const ms = retryWithin({ ...budget(), delayMs, retryAfterMs: failure.retryAfterMs });
    if (ms === undefined) throw error;
    onDown(error, attempt);
    const due = clock.now() + ms;
    await sleep({ clock, ms, signal });
    // The machine has slept: what failed before says nothing, and the time away was not spent trying.
    if (clock.now() - due > capMs) {
      attempt = 1;
      downSince = clock.now();
    }
  }
}

/** One link, to its end. */
async function followOnce(
  options: EventStreamOptions,
  scope: Scope,
  attempt: number,
  link: { upSince: number; brought: boolean },
  onRetry: (ms: number) => void,
): Promise<RequestFailed> {
  const { requests, clock, cursor, path, classOf, connectTimeoutMs: timeoutMs, onUp, onEvent } = options;
  try {
    await scope.run(async (signal) => {
      const from = cursor() > 0 ? String(cursor()) : undefined;
      const { cursorParameter: name } = options;
      const headers = { Accept: 'text/event-stream', ...(from !== undefined && { 'Last-Event-ID': from }) };
      const query = name !== undefined && from !== undefined ? { [name]: from } : {};
      const request = { path, query, method: 'GET', headers, timeoutMs, classOf, fresh: true } as const;
      const response = await requests.open(request, signal);
      const type = response.headers.get('content-type') ?? '';
      if (response.body === null || !/^text\/event-stream\b/i.test(type)) {
        // The sign-in page of a network, an error page with the wrong status: it passes.
        throw new TransportError('connect-failed', 'sse: the answer is no event stream', { status: response.status });
      }
      link.upSince = clock.now();
      onUp(attempt);
      await readEvents(response.body.getReader(), {
        ...options,
        signal,
        onRetry,
        onEvent: (event) => {
          link.brought = onEvent(event) || link.brought;
        },
      });
    });
    return new RequestFailed(new TransportError('lost', 'sse: the stream ended'), 'retry');
  } catch (error) {
    return error instanceof RequestFailed ? error : new RequestFailed(TransportError.from(error), 'retry');
  }
}
