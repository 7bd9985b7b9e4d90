import type { Clock } from '@proto/core/reconnect';
import { type RetryPolicy, sleep, toTransportError } from '@proto/core/network';
import { type Cursor, TransportError } from '@proto/core/transport';
import type { EventSourceMessage } from 'eventsource-parser';
import { readEvents, type ReadEventsOptions } from './read-events.ts';
import { RequestFailed, type RequestOptions, type Requests } from './requests.ts';
import { Scope } from './scope.ts';

const MAX_SERVER_RETRY_MS = 300_000;

export interface EventStreamOptions
  extends Pick<ReadEventsOptions, 'silenceMs' | 'maxEventBytes' | 'room' | 'onTooLarge' | 'onPiece'>,
    Pick<RequestOptions, 'path' | 'meaningOf'> {
  readonly requests: Pick<Requests, 'open'>;
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The name of a query parameter that repeats the cursor, for servers that ignore `Last-Event-ID`. */
  readonly cursorParameter?: string;
  /** Returns the place of the last event that arrived, or `undefined` before the first event. Called for each attempt. */
  readonly cursor: () => Cursor | undefined;
  readonly onUp: (attempt: number) => void;
  /** Returns whether the event is new. */
  readonly onEvent: (event: EventSourceMessage) => boolean;
  /** Called when a link has ended or an attempt has failed, with the number of the next attempt. */
  readonly onDown: (cause: TransportError, attempt: number) => void;
}

/**
 * Follows an event stream over a series of links, to the end of the session.
 * @throws {TransportError} if the retry policy gives up or the server refuses permanently. If the signal aborts, throws its reason.
 */
export async function followEvents(options: EventStreamOptions): Promise<void> {
  const { clock, signal, policy, onDown } = options;
  // The delay that the server requested in its last `retry:`.
  let leastMs = 0;
  const scope = new Scope(signal);
  for (;;) {
    const failure = await followOneLink(options, scope, (ms) => (leastMs = Math.min(ms, MAX_SERVER_RETRY_MS)));
    signal.throwIfAborted();
    if (failure.action === 'end') return;
    const verdict = policy.onFailure({ ...failure.failure, leastMs });
    if (verdict.kind === 'permanent') throw failure.rejection;
    if (verdict.kind !== 'again') throw failure.error;
    // A refusal is not reported if the credential is renewed at once.
    if (!verdict.renews) onDown(failure.error, policy.attempt);
    if (verdict.delayMs === 0) continue;
    const dueAt = clock.now() + verdict.delayMs;
    await sleep({ clock, ms: verdict.delayMs, signal });
    policy.onTimer(dueAt);
  }
}

async function followOneLink(
  options: EventStreamOptions,
  scope: Scope,
  onRetry: (ms: number) => void,
): Promise<RequestFailed> {
  const { requests, policy, cursor, cursorParameter: name, path, meaningOf, onUp, onEvent } = options;
  try {
    await scope.run(async (signal) => {
      const from = cursor();
      const headers = { Accept: 'text/event-stream', ...(from !== undefined && { 'Last-Event-ID': from }) };
      const query = name !== undefined && from !== undefined ? { [name]: from } : {};
      const about = { path, query, method: 'GET', headers, meaningOf, fresh: true } as const;
      const response = await requests.open({ ...about, timeoutMs: policy.attemptMs(), reason: policy.reason }, signal);
      const type = response.headers.get('content-type') ?? '';
      if (response.body === null || !/^text\/event-stream\b/i.test(type)) {
        // This may be the sign-in page of a network, or an error page with the wrong status, so a later attempt may succeed.
        throw new TransportError('connect-failed', 'sse: the answer is not an event stream', {
          status: response.status,
        });
      }
      const { attempt } = policy;
      policy.onUp();
      onUp(attempt);
      await readEvents(response.body.getReader(), {
        ...options,
        signal,
        onRetry,
        onEvent(event) {
          if (onEvent(event)) policy.onProgress();
        },
      });
    });
    return new RequestFailed(new TransportError('lost', 'sse: the stream ended'), 'retry');
  } catch (error) {
    return error instanceof RequestFailed ? error : new RequestFailed(toTransportError(error), 'retry');
  }
}
