import {
  type Clock,
  DEFAULT_MAX_OPENING_MS,
  type Resumption,
  systemClock,
  type WorkerLink,
} from '@proto/core/internal';
import { type Batch, type TransportControl, type TransportDriver, TransportError } from '@proto/core/transport';
import { EventLink, type SseOptions } from '../event-link.ts';
import { type RetriedRequest, RequestRetries } from '../request-retries.ts';
import { PostQueue } from '../post-queue.ts';
import { noticesOf } from '../refused-entries.ts';
import { Requests } from '../requests.ts';
import { membersOf } from '../session-frames.ts';
import { meaningOfReport, meaningOfStream } from '../retry-policy.ts';
import { createDeliveryReports } from './delivery-reports.ts';
import { Heartbeat } from './heartbeat.ts';
import { InternalEvents } from './internal-events.ts';
import { answerText } from './answer-text.ts';
import { report } from './report.ts';
import { Seat } from './seat.ts';
import { WorkerFrames } from './worker-frames.ts';
import { WorkerRequests } from './worker-requests.ts';
import { WorkerState } from './worker-state.ts';

/** Whose worker to be, and how. */
export interface SseWorkerOptions extends SseOptions {
  /** The number of this attachment. Default: the one that comes with the credential, or else the worker registers. */
  readonly epoch?: number;
  /** Says what it has to say, and reads nothing. Default false. */
  readonly outboundOnly?: boolean;
}

// A session does not wait longer than that for what an earlier worker has left behind.
const RESTORE_MS = 10_000;
const MAX_STATE_BYTES = 16 * 1024 * 1024;
const GOODBYE_MS = 2000;

/**
 * States:
 * - `opening`: reads what an earlier worker left behind, then reports itself; attempts go on for `maxOpeningMs`
 * - `attached`: reads and writes; the event stream may be down
 * - `over`: released
 */
export class WorkerDriver implements TransportDriver, WorkerLink {
  readonly resumption: Resumption;
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
  #isToldDown = false;
  #isAttached = false;
  #isFull = false;

  constructor(control: TransportControl, options: SseWorkerOptions) {
    const { clock = systemClock, cursor, epoch } = options;
    const { signal } = this.#over;
    const onPermanent = (error: TransportError) => this.#release(error);
    const requests = new Requests(options, clock);
    const seat = new Seat({ requests, clock, epoch, signal, onChange: (next) => this.#state.repeat(next) });
    const worker = new WorkerRequests(requests, seat);
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
    this.restored = this.#restore();
    this.#running.push(this.#open());
  }

  get worker(): WorkerLink {
    return this;
  }

  write(batch: Batch): Promise<void> {
    return this.#posts.write(batch);
  }

  async close(): Promise<void> {
    if (this.#isAttached) await this.#leave().catch(() => {});
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

  reportState(...told: Parameters<WorkerLink['reportState']>): void {
    this.#state.reportState(...told);
  }

  reportMetadata(patch: Readonly<Record<string, unknown>>): void {
    this.#state.reportMetadata(patch);
  }

  reportDelivery(event_id: string, status: 'processing' | 'processed'): void {
    this.#delivery.add({ event_id, status });
  }

  async #restore(): Promise<Readonly<Record<string, unknown>> | null> {
    const clock = this.#clock;
    let text = '';
    try {
      await this.#retries.send({
        path: '/worker',
        method: 'GET',
        headers: { Accept: 'application/json' },
        timeoutMs: RESTORE_MS,
        meaningOf: meaningOfReport,
        async onAnswer(response, signal) {
          text = await answerText(response, { clock, maxBytes: MAX_STATE_BYTES, timeoutMs: RESTORE_MS, signal });
        },
        ...this.#whileOpening(RESTORE_MS),
      });
      const { external_metadata: metadata } = membersOf(membersOf(JSON.parse(text))['worker']);
      return Object.keys(membersOf(metadata)).length > 0 ? membersOf(metadata) : null;
    } catch {
      return null;
    }
  }

  async #open(): Promise<void> {
    const { outboundOnly = false } = this.#options;
    const { signal } = this.#over;
    // Ahead of the report, which clears some of it.
    await this.restored;
    if (signal.aborted) return;
    try {
      const refused = await this.#retries.send({ ...this.#state.first, ...this.#whileOpening() });
      if (refused !== undefined) return this.#release(refused);
    } catch {
      // Released, by whoever knows why.
      return;
    }
    this.#isAttached = true;
    for (const outbox of [this.#state, this.#delivery, this.internalEvents]) outbox.start();
    this.#running.push(this.#heartbeat.run());
    if (!outboundOnly) return this.#follow(signal);
    if (this.#isToldDown) this.#control.receive([{ kind: 'link', state: 'up', attempt: 1, resumed: true }]);
    this.#control.opened();
  }

  /** How long the requests that open a worker go on; the first failure is told, or nobody would know why nothing happens. */
  #whileOpening(mostMs = Infinity): Pick<RetriedRequest, 'opening' | 'again'> {
    const { maxOpeningMs = DEFAULT_MAX_OPENING_MS, firstAttempt = 'end' } = this.#options;
    const limits = { since: this.#began, maxOpeningMs: Math.min(mostMs, maxOpeningMs) };
    return {
      opening: { ...limits, firstAttempt: this.#isToldDown ? 'retry' : firstAttempt },
      again: ({ error: cause }) => {
        if (!this.#isToldDown) this.#control.receive([{ kind: 'link', state: 'down', attempt: 2, cause }]);
        return (this.#isToldDown = true);
      },
    };
  }

  #follow(signal: AbortSignal): void {
    this.#link = new EventLink({
      ...this.#options,
      since: this.#began,
      isToldDown: this.#isToldDown,
      // The server was there a moment ago.
      firstAttempt: 'retry',
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

  /** Behind the messages all that was told, and a goodbye; not in the middle of a turn, which another worker may go on with. */
  async #leave(): Promise<void> {
    await Promise.all([this.#state.flush(), this.#delivery.flush(), this.internalEvents.flush()]);
    if (!this.#state.isIdle) return;
    const goodbye = report('/worker', () => '"connection_status":"disconnected"', {
      method: 'PUT',
      timeoutMs: GOODBYE_MS,
    });
    await this.#retries.send({ ...goodbye, again: () => false });
  }

  #release(error?: TransportError): void {
    if (this.#over.signal.aborted) return;
    const reason = error ?? new TransportError('closed', 'sse: closed');
    this.#over.abort(reason);
    for (const outbox of [this.#delivery, this.internalEvents]) outbox.fail(reason);
    // Behind the link and the beats, whose timers are gone then.
    void this.#settled().then(() => this.#control.closed(error));
  }

  /** All that runs, also what began meanwhile. */
  async #settled(): Promise<void> {
    for (const running of this.#running) await running;
  }
}
