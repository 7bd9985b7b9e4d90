import { checkDurations, systemClock } from '@proto/core/network';
import {
  type Batch,
  defineTransport,
  type ResumableTransport,
  type TransportControl,
  type TransportDriver,
  TransportError,
} from '@proto/core/transport';
import { EventLink, type SseOptions } from './event-link.ts';
import { RequestRetries } from './request-retries.ts';
import { PostQueue } from './post-queue.ts';
import { noticesOf } from './refused-entries.ts';
import { Requests } from './requests.ts';
import { meaningOfPost, meaningOfStream } from './response-status.ts';
import { ViewerFrames } from './viewer-frames.ts';

/**
 * Creates the host's end of a remote session. Events arrive over an event stream, which is reopened after a cut and continues after the last event.
 * Messages are sent in POST requests.
 *
 * @throws {RangeError} if a time is not a number of at least 0, or if `silenceMs`, `connectTimeoutMs` or `postTimeoutMs` is 0
 */
export function createSseTransport(options: SseOptions): ResumableTransport {
  checkDurations(options, ['silenceMs', 'connectTimeoutMs', 'postTimeoutMs']);
  return defineTransport('sse', (control) => new ViewerDriver(control, options), { ...options, hasMessageIds: true });
}

class ViewerDriver implements TransportDriver {
  readonly resumption: ViewerFrames;
  readonly #control: TransportControl;
  readonly #link: EventLink;
  readonly #posts: PostQueue;
  readonly #over = new AbortController();

  constructor(control: TransportControl, options: SseOptions) {
    const { clock = systemClock, cursor } = options;
    const { signal } = this.#over;
    const requests = new Requests(options, clock);
    const onPermanent = (error: TransportError) => this.#release(error);
    const retries = new RequestRetries({ ...options, requests, clock, signal, onPermanent });
    const frames = new ViewerFrames(cursor);
    this.#control = control;
    this.resumption = frames;
    this.#posts = new PostQueue({
      ...options,
      retries,
      path: '/events',
      meaningOf: meaningOfPost,
      about: ({ sessionId }) => `"session_id":${JSON.stringify(sessionId)},`,
      onSending: (id) => frames.expectEcho(id),
      onRefused: (refused) => control.receive(noticesOf(refused)),
    });
    this.#link = new EventLink({
      ...options,
      control,
      requests,
      clock,
      signal,
      frames,
      path: '/events/stream',
      meaningOf: meaningOfStream,
      onUp() {
        control.opened();
        retries.wake();
      },
      onEnd: () => this.#release(),
    });
    void this.#link.over.then((error) => this.#release(error));
  }

  write(batch: Batch): Promise<void> {
    return this.#posts.write(batch);
  }

  close(): void {
    this.#release();
  }

  abort(): void {
    this.#release();
  }

  pause(): void {
    this.#link.pause();
  }

  resume(): void {
    this.#link.resume();
  }

  #release(error?: TransportError): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort(error ?? new TransportError('closed', 'sse: closed'));
    // The link must end first, because its end clears the link's timers.
    void this.#link.over.then(() => this.#control.closed(error));
  }
}
