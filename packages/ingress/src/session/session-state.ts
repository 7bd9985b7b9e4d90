import { yieldToEventLoop } from '../event-loop.ts';
import { type JsonObject, objectOf } from '../json/values.ts';
import type { EventLog } from '../log/event-log.ts';
import { ControlRequests, type Resolution } from './control-requests.ts';
import { DeliveryMarks } from './delivery-marks.ts';
import { Initialization, listedIn } from './initialization.ts';
import { type DeliveryMark, KeptMarks } from './kept-marks.ts';
import { payloadOf, type SessionEvent, sessionEventOf } from './session-event.ts';
import type { Checkpoint, StoredState } from './stored-state.ts';

/** How many events a load goes through at most beyond what was stored of the state. */
const CHECKPOINT_EVERY = 500;

/**
 * What follows from the events of a session: which requests are open, how far the worker is with what clients sent, and what the agent
 * answered to an `initialize`. What is stored of this state only spares a load from going through all events.
 */
export class SessionState {
  readonly requests: ControlRequests;
  readonly delivery: DeliveryMarks;
  readonly initialization: Initialization;
  readonly #log: EventLog;
  readonly #session: string;
  readonly #marks: KeptMarks;
  /** Whether an answer of the agent is not known to be stored. */
  #isInitializationNew = false;
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

  /** Takes note of an event that was stored, or was said without being kept, and tells which request it ended. */
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

  /** Stores how far the worker says it is. Gives what viewers may be told now that it is durable. */
  async markDelivery(updates: readonly unknown[]): Promise<readonly JsonObject[]> {
    const news = updates.map(objectOf).filter(({ event_id, status }) => this.delivery.mark(event_id, status));
    const marks = news.map(({ event_id: id, status }) => ({ id, status }));
    return this.#keepMarks(marks, news);
  }

  /** Stores that the worker has everything up to a place. Gives what viewers may be told now that it is durable. */
  async markDeliveredUpTo(upTo: number): Promise<readonly JsonObject[]> {
    const arrived = this.delivery.deliveredUpTo(upTo);
    const news = arrived.map((event_id) => ({ event_id, status: 'received' }));
    return this.#keepMarks(arrived.length > 0 ? [{ upTo }] : [], news);
  }

  async #keepMarks(marks: readonly DeliveryMark[], news: readonly JsonObject[]): Promise<readonly JsonObject[]> {
    const told = await this.#marks.append(marks, news);
    await this.#checkpointIfDue();
    return told;
  }

  /** Goes through what the log has beyond the stored state. `onDamaged` is told of each event that is no message. */
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
      // The store may have left out what it cannot read at the end.
      if (events.length === 0) this.#last = Math.max(this.#last, last);
      if (this.#last >= last) break;
      await yieldToEventLoop();
    }
    for await (const mark of this.#marks.read()) {
      if ('upTo' in mark) this.delivery.deliveredUpTo(mark.upTo);
      else this.delivery.mark(mark.id, mark.status);
    }
    if (this.#isInitializationNew) await this.#keepInitialization();
  }

  /** Stores what a load cannot take from the events, and a checkpoint where a load would have to go through many events. */
  async keep(): Promise<void> {
    if (this.#isInitializationNew) await this.#keepInitialization();
    await this.#checkpointIfDue();
  }

  /** The agent has answered an `initialize`: with what a later one is answered, and with what it waits for. */
  #initialized(answer: JsonObject): void {
    for (const frame of listedIn(answer)) this.requests.listed(frame);
    if (this.initialization.answered(answer)) this.#isInitializationNew = true;
  }

  async #keepInitialization(): Promise<void> {
    await this.#log.writeDocument(this.#session, 'initialization', this.initialization.text ?? '');
    this.#isInitializationNew = false;
  }

  /** Storing a checkpoint may fail: nothing is lost by that but time. */
  async #checkpointIfDue(): Promise<void> {
    const upTo = this.#last;
    if (upTo - this.#checkpointed < CHECKPOINT_EVERY && this.#marks.sinceCheckpoint < CHECKPOINT_EVERY) return;
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
