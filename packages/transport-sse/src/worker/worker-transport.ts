import type { Clock } from '@proto/core/reconnect';
import { checkDurations, systemClock } from '@proto/core/network';
import {
  type Batch,
  defineTransport,
  type ResumableTransport,
  type TransportControl,
  type TransportDriver,
  TransportError,
  type WorkerTransport,
} from '@proto/core/transport';
import { EventLink, type SseOptions } from '../event-link.ts';
import { type RetriedRequest, RequestRetries } from '../request-retries.ts';
import { PostQueue } from '../post-queue.ts';
import { noticesOf } from '../refused-entries.ts';
import { Requests } from '../requests.ts';
import { meaningOfReport, meaningOfStream } from '../response-status.ts';
import { Heartbeat } from './heartbeat.ts';
import { InternalEvents } from './internal-events.ts';
import { createDeliveryReports, report } from './reports.ts';
import { WorkerFrames } from './worker-frames.ts';
import { WorkerLease } from './worker-lease.ts';
import { WorkerRequests } from './worker-requests.ts';
import { restoreMetadata, type WorkerLink, WorkerState } from './worker-state.ts';

/** The session to work for, and the options of its worker. */
export interface SseWorkerOptions extends SseOptions {
  /** The epoch of this worker. Default: the epoch of the credential. If the credential has no epoch, the worker registers. */
  readonly epoch?: number;
  /** If true, messages are sent but no event stream is opened. Default false. */
  readonly outboundOnly?: boolean;
}

const FINAL_REPORT_TIMEOUT_MS = 2000;
const DEFAULT_CONNECT_DEADLINE_MS = 30_000;

/**
 * Creates the worker of a remote session. Messages from viewers arrive over an event stream, which is reopened after a cut and continues after the
 * last event. The agent's messages are posted, and repeated until the server accepts them. The transport's `worker` member handles the other duties
 * of a worker: its state, its metadata, delivery marks and the transcript.
 *
 * @throws {RangeError} if a time is not a number of at least 0, or if `silenceMs`, `connectTimeoutMs` or `postTimeoutMs` is 0
 */
export function createSseWorkerTransport(options: SseWorkerOptions): WorkerTransport & ResumableTransport {
  checkDurations(options, ['silenceMs', 'connectTimeoutMs', 'postTimeoutMs']);
  return defineTransport('sse', (control) => new WorkerDriver(control, options), { ...options, hasMessageIds: true });
}

/**
 * States:
 * - opening: reads the metadata of an earlier worker, then sends the first report. Attempts continue for `connectDeadlineMs`
 * - attached: reads and writes. The event stream may be down
 * - over: released
 */
class WorkerDriver implements TransportDriver, WorkerLink {
  readonly resumption: ResumableTransport['resumption'];
  readonly restored: Promise<Readonly<Record<string, unknown>> | null>;
  readonly internalEvents: InternalEvents;
  readonly #options: SseWorkerOptions;
  readonly #clock: Clock;
  readonly #control: TransportControl;
  readonly #worker: WorkerRequests;
  readonly #retries: RequestRetries;
  readonly #frames: WorkerFrames;
  readonly #posts: PostQueue;
  readonly #state: WorkerState;
  readonly #delivery;
  readonly #heartbeat: Heartbeat;
  readonly #over = new AbortController();
  readonly #running: Promise<unknown>[] = [];
  readonly #began: number;
  #link: EventLink | undefined;
  #isDownReported = false;
  #isAttached = false;
  #isFull = false;

  constructor(control: TransportControl, options: SseWorkerOptions) {
    const { clock = systemClock, cursor, epoch } = options;
    const { signal } = this.#over;
    const onPermanent = (error: TransportError) => this.#release(error);
    const requests = new Requests(options, clock);
    const onChange = (next: number) => this.#onNewLease(next);
    const lease = new WorkerLease({ requests, clock, epoch, signal, onChange });
    const worker = new WorkerRequests(requests, lease);
    const retries = new RequestRetries({ ...options, requests: worker, clock, signal, onPermanent });
    this.#options = options;
    this.#clock = clock;
    this.#began = clock.now();
    this.#control = control;
    this.#worker = worker;
    this.#retries = retries;
    this.#state = new WorkerState(retries);
    this.#delivery = createDeliveryReports(retries);
    this.internalEvents = new InternalEvents({ retries, clock });
    this.#heartbeat = new Heartbeat({ retries, clock, signal });
    this.#frames = this.resumption = new WorkerFrames({
      cursor,
      onReceived: (event_id) => this.#delivery.add({ event_id, status: 'received' }),
      onProbe: () => this.#heartbeat.beat(),
    });
    this.#posts = new PostQueue({
      ...options,
      retries,
      path: '/worker/events',
      meaningOf: meaningOfReport,
      about: ({ epoch: number }) => `"worker_epoch":${number},`,
      marksEphemeral: true,
      onRefused: (refused) => control.receive(noticesOf(refused)),
    });
    this.restored = restoreMetadata(retries, clock, (mostMs) => this.#whileOpening(mostMs));
    this.#running.push(this.#open());
  }

  get worker(): WorkerLink {
    return this;
  }

  write(batch: Batch): Promise<void> {
    return this.#posts.write(batch);
  }

  async close(): Promise<void> {
    if (this.#isAttached) await this.#closeGracefully().catch(() => {});
    this.#release();
  }

  abort(): void {
    this.#release();
  }

  pause(): void {
    this.#isFull = true;
    this.#link?.pause();
  }

  resume(): void {
    this.#isFull = false;
    this.#link?.resume();
  }

  reportState(...args: Parameters<WorkerLink['reportState']>): void {
    this.#state.reportState(...args);
  }

  reportMetadata(patch: Readonly<Record<string, unknown>>): void {
    this.#state.reportMetadata(patch);
  }

  reportDelivery(event_id: string, status: 'processing' | 'processed'): void {
    this.#delivery.add({ event_id, status });
  }

  #onNewLease(epoch: number): void {
    this.#state.repeat(epoch);
    // Earlier increments are outdated: viewers under the new lease receive the whole message that follows.
    this.#posts.dropEphemeral();
  }

  async #open(): Promise<void> {
    const { outboundOnly = false } = this.#options;
    const { signal } = this.#over;
    // The metadata must be read before the first report is sent, because that report clears some of it.
    await this.restored;
    if (signal.aborted) return;
    try {
      const refused = await this.#retries.send({ ...this.#state.first, ...this.#whileOpening() });
      if (refused !== undefined) return this.#release(refused);
    } catch {
      // The code that ended the requests also reports the reason.
      return;
    }
    this.#isAttached = true;
    for (const outbox of [this.#state, this.#delivery, this.internalEvents]) outbox.start();
    this.#running.push(this.#heartbeat.run());
    if (!outboundOnly) return this.#follow(signal);
    if (this.#isDownReported) this.#control.receive([{ kind: 'link', state: 'up', attempt: 1, resumed: true }]);
    this.#control.opened();
  }

  /** The first failure is reported, so that a program knows the reason for the delay. */
  #whileOpening(mostMs = Infinity): Pick<RetriedRequest, 'opening' | 'again'> {
    const { connectDeadlineMs = DEFAULT_CONNECT_DEADLINE_MS, retryFirstConnect = false } = this.#options;
    const limits = { since: this.#began, connectDeadlineMs: Math.min(mostMs, connectDeadlineMs) };
    return {
      opening: { ...limits, retryFirstConnect: this.#isDownReported || retryFirstConnect },
      again: ({ error: cause }) => {
        if (!this.#isDownReported) this.#control.receive([{ kind: 'link', state: 'down', attempt: 2, cause }]);
        return (this.#isDownReported = true);
      },
    };
  }

  #follow(signal: AbortSignal): void {
    this.#link = new EventLink({
      ...this.#options,
      since: this.#began,
      isDownReported: this.#isDownReported,
      // The server has just answered, so the connection is known to work.
      retryFirstConnect: true,
      control: this.#control,
      requests: this.#worker,
      clock: this.#clock,
      signal,
      frames: this.#frames,
      path: '/worker/events/stream',
      cursorParameter: 'from_sequence_num',
      meaningOf: meaningOfStream,
      onUp: () => {
        this.#control.opened();
        this.#retries.wake();
      },
      onEnd: () => this.#release(),
    });
    if (this.#isFull) this.#link.pause();
    this.#running.push(this.#link.over);
    void this.#link.over.then((error) => this.#release(error));
  }

  /** During a turn, no final report is sent, because another worker may continue the turn. */
  async #closeGracefully(): Promise<void> {
    await Promise.all([this.#state.flush(), this.#delivery.flush(), this.internalEvents.flush()]);
    if (!this.#state.isIdle) return;
    const finalReport = report('/worker', () => '"connection_status":"disconnected"', {
      method: 'PUT',
      timeoutMs: FINAL_REPORT_TIMEOUT_MS,
    });
    await this.#retries.send({ ...finalReport, again: () => false });
  }

  #release(error?: TransportError): void {
    if (this.#over.signal.aborted) return;
    const reason = error ?? new TransportError('closed', 'sse: closed');
    this.#over.abort(reason);
    for (const outbox of [this.#delivery, this.internalEvents]) outbox.fail(reason);
    // The link and the heartbeats must end first, because their ends clear their timers.
    void this.#settled().then(() => this.#control.closed(error));
  }

  /** Includes work that begins while this method waits. */
  async #settled(): Promise<void> {
    for (const running of this.#running) await running;
  }
}
