import { yieldToEventLoop } from '../event-loop.ts';
import { type JsonObject, objectOf } from '../json/values.ts';
import type { EventLog } from '../log/event-log.ts';
import { ControlRequests, type Resolution } from './control-requests.ts';
import { DeliveryMarks } from './delivery-marks.ts';
import { Initialization, listedIn } from './initialization.ts';
import { type DeliveryMark, KeptMarks } from './kept-marks.ts';
import { payloadOf, type SessionEvent, sessionEventOf } from './session-event.ts';
import type { Checkpoint, StoredState } from './stored-state.ts';

const EVENTS_PER_CHECKPOINT = 500;

/**
 * The state that results from the events of a session: the open requests, how far the worker has processed the clients' events, and the agent's
 * answer to an `initialize`. The stored checkpoint of this state only makes loading faster.
 */
export class SessionState {
  readonly requests: ControlRequests;
  readonly delivery: DeliveryMarks;
  readonly initialization: Initialization;
  readonly #log: EventLog;
  readonly #session: string;
  readonly #marks: KeptMarks;
  #mustStoreInitialization = false;
  #last: number;
  #checkpointed: number;

  constructor(
    log: EventLog,
    session: string,
    { checkpoint, initialization }: Pick<StoredState, 'checkpoint' | 'initialization'> = {},
  ) {
    this.#log = log;
    this.#session = session;
    this.requests = new ControlRequests(checkpoint?.requests);
    this.delivery = new DeliveryMarks(checkpoint?.delivery);
    this.#marks = new KeptMarks(log, session, checkpoint?.marks);
    this.initialization = new Initialization(initialization);
    this.#last = this.#checkpointed = checkpoint?.upTo ?? 0;
  }

  /** The sequence number of the last event that is part of this state. */
  get last(): number {
    return this.#last;
  }

  /** Applies a stored or ephemeral event. Returns the request that the event ended. */
  apply(event: SessionEvent, text: string): Resolution | undefined {
    if (event.isKept) this.#last = event.sequence;
    const isAnsweredHere = event.source === 'client' && !event.isForWorker;
    if (isAnsweredHere) return undefined;
    if (event.isForWorker && event.isKept) this.delivery.add(event.id, event.sequence);
    const isInitialized =
      event.source === 'worker' &&
      event.type === 'control_response' &&
      this.requests.askedSubtype(event.payload) === 'initialize';
    const resolution = this.requests.apply(event, text);
    if (isInitialized) this.#initialized(event.payload);
    return resolution;
  }

  /** Stores marks from the worker. When the marks are durable, returns the news for viewers. */
  async markDelivery(updates: readonly unknown[]): Promise<readonly JsonObject[]> {
    const news = updates.map(objectOf).filter(({ event_id, status }) => this.delivery.mark(event_id, status));
    const marks = news.map(({ event_id: id, status }) => ({ id, status }));
    return this.#keepMarks(marks, news);
  }

  /** Stores that the worker has received everything up to a position. When the mark is durable, returns the news for viewers. */
  async markDeliveredUpTo(upTo: number): Promise<readonly JsonObject[]> {
    const { count, arrived } = this.delivery.deliveredUpTo(upTo);
    const news = arrived.map((event_id) => ({ event_id, status: 'received' }));
    return this.#keepMarks(count > 0 ? [{ upTo }] : [], news);
  }

  async #keepMarks(marks: readonly DeliveryMark[], news: readonly JsonObject[]): Promise<readonly JsonObject[]> {
    const unsent = await this.#marks.append(marks, news);
    await this.#checkpointIfDue();
    return unsent;
  }

  /** Applies the events after the checkpoint in the log. `onDamaged` is called for each damaged event. */
  async replay(onDamaged: (sequence: number) => void): Promise<void> {
    for (;;) {
      const { events, missing, last } = await this.#log.read(this.#session, this.#last);
      if (missing !== undefined) this.delivery.dropBefore((this.#last = missing.to) + 1);
      for (const event of events) {
        const payload = payloadOf(event);
        if (payload === undefined) onDamaged(event.sequence);
        else this.apply(sessionEventOf(event, payload), event.payload);
        this.#last = event.sequence;
      }
      // The store may have left out damaged events at the end.
      if (events.length === 0) this.#last = Math.max(this.#last, last);
      if (this.#last >= last) break;
      await yieldToEventLoop();
    }
    for await (const mark of this.#marks.read()) {
      if ('upTo' in mark) this.delivery.deliveredUpTo(mark.upTo);
      else this.delivery.mark(mark.id, mark.status);
    }
    if (this.#mustStoreInitialization) await this.#keepInitialization();
  }

  /**
   * Stores the parts of the state that cannot be rebuilt from the events, and a checkpoint if loading would have to read many events. Returns
   * undefined if nothing has to be stored, as after most events.
   */
  keep(): Promise<void> | undefined {
    return this.#mustStoreInitialization || this.#isCheckpointDue ? this.#keep() : undefined;
  }

  async #keep(): Promise<void> {
    if (this.#mustStoreInitialization) await this.#keepInitialization();
    await this.#checkpointIfDue();
  }

  #initialized(answer: JsonObject): void {
    for (const frame of listedIn(answer)) this.requests.listed(frame);
    if (this.initialization.answered(answer)) this.#mustStoreInitialization = true;
  }

  async #keepInitialization(): Promise<void> {
    await this.#log.writeDocument(this.#session, 'initialization', this.initialization.text ?? '');
    this.#mustStoreInitialization = false;
  }

  get #isCheckpointDue(): boolean {
    return (
      this.#last - this.#checkpointed >= EVENTS_PER_CHECKPOINT || this.#marks.sinceCheckpoint >= EVENTS_PER_CHECKPOINT
    );
  }

  /** Stores a checkpoint. A failure is ignored, because it only makes the next load slower. */
  async #checkpointIfDue(): Promise<void> {
    const upTo = this.#last;
    if (!this.#isCheckpointDue) return;
    const checkpoint: Checkpoint = {
      upTo,
      delivery: this.delivery.state,
      requests: this.requests.state,
      marks: this.#marks.upTo,
    };
    try {
      await this.#log.writeDocument(this.#session, 'checkpoint', JSON.stringify(checkpoint));
      this.#checkpointed = upTo;
      this.#marks.checkpointed();
    } catch {}
  }
}
