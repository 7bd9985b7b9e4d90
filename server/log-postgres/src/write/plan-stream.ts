import {
  type Appended,
  EventLogError,
  isCounted,
  type KnownEvent,
  type NewEvent,
  placementOf,
  refusalOf,
  type Retention,
  storeFull,
  type WriteCondition,
} from '@proto/ingress/event-log';
import type { PendingWrite } from './pending-write.ts';
import type { StreamFacts, StreamState } from './stream-state.ts';

export interface PlacedEvent extends NewEvent {
  readonly sequence: number;
  readonly bytes: number;
  readonly createdAt: number;
}

/** What one statement does to one stream, and the results of its writes. */
export interface StreamPlan {
  readonly name: string;
  readonly before: StreamState;
  readonly after: StreamState;
  /** The events to write. Events below `after.first` are dropped immediately, and only their ids are kept. */
  readonly events: readonly PlacedEvent[];
  readonly documents: ReadonlyMap<string, string>;
  /** The epoch that must be valid. */
  readonly epoch: number | undefined;
  readonly isRemoved: boolean;
  /** By how much the store grows. */
  readonly growth: { readonly streams: number; readonly bytes: number };
  readonly answers: ReadonlyMap<PendingWrite, unknown>;
  /** The results of writes that an earlier attempt has already stored. These results are valid even if this statement fails. */
  readonly stored: ReadonlyMap<PendingWrite, unknown>;
  readonly refusals: ReadonlyMap<PendingWrite, EventLogError>;
  /** Writes that need a separate statement, because they have a different epoch. */
  readonly later: readonly PendingWrite[];
}

export interface PlanContext {
  readonly now: number;
  readonly retention: Retention;
  readonly maxTotalBytes: number;
  /** Whether the store may grow by that many bytes, in addition to what the previous plans have added. */
  allows(bytes: number): boolean;
}

/** Thrown if a decision needs facts about the stream that were not read yet. */
export class NeedsFacts extends Error {}

/**
 * Decides what a statement does with the writes to one stream, in their order.
 * @throws NeedsFacts if the decision needs more than the remembered facts.
 */
export function planStream(
  name: string,
  facts: StreamFacts,
  writes: readonly PendingWrite[],
  context: PlanContext,
): StreamPlan {
  const planner = new StreamPlanner(name, facts, context);
  for (const write of writes) planner.add(write);
  return planner.end();
}

class StreamPlanner {
  readonly #name: string;
  readonly #facts: StreamFacts;
  readonly #context: PlanContext;
  readonly #known = new Map<string, KnownEvent>();
  readonly #documents = new Map<string, string>();
  readonly #answers = new Map<PendingWrite, unknown>();
  readonly #stored = new Map<PendingWrite, unknown>();
  readonly #refusals = new Map<PendingWrite, EventLogError>();
  readonly #later: PendingWrite[] = [];
  #events: readonly PlacedEvent[] = [];
  #state: StreamState;
  #epoch: number | undefined;
  #isRemoved = false;

  constructor(name: string, facts: StreamFacts, context: PlanContext) {
    this.#name = name;
    this.#facts = facts;
    this.#context = context;
    this.#state = facts.state;
  }

  add(write: PendingWrite): void {
    const { work, condition } = write;
    // The order is kept, so no write overtakes a write that has to wait.
    if (this.#later.length > 0 || !this.#canJoin(condition.epoch)) return void this.#later.push(write);
    if (this.#isStored(write)) return void this.#stored.set(write, write.attempted);
    const refusal = refusalOf(condition, this.#epochOf(condition), () => this.#state.last);
    if (refusal !== undefined) {
      this.#needFacts();
      this.#refusals.set(write, refusal);
    } else if (work.kind === 'append') this.#append(write, work.events);
    else if (work.kind === 'document') this.#writeDocument(write, work.name, work.text);
    else this.#expire(write);
  }

  end(): StreamPlan {
    const { state: before } = this.#facts;
    const { id, version } = before;
    const isNew = version === 0 && this.#answers.size > 0;
    const streams = isCounted(this.#name) ? Number(isNew) - Number(this.#isRemoved) : 0;
    return {
      name: this.#name,
      before,
      after: { ...this.#state, id, version: version + 1 },
      events: this.#events,
      documents: this.#documents,
      epoch: this.#epoch,
      isRemoved: this.#isRemoved,
      growth: { streams, bytes: this.#growthOf(this.#state) },
      answers: this.#answers,
      stored: this.#stored,
      refusals: this.#refusals,
      later: this.#later,
    };
  }

  #canJoin(epoch: number | undefined): boolean {
    if (this.#isRemoved) return false;
    return epoch === undefined || this.#epoch === undefined || this.#epoch === epoch;
  }

  /**
   * The epoch of the claim. Remembered facts do not contain this epoch: in that case, the epoch of the condition is returned, and the statement
   * checks it.
   */
  #epochOf({ epoch }: WriteCondition): number | undefined {
    return this.#facts.isRead ? this.#facts.epoch : epoch;
  }

  #needFacts(): void {
    if (!this.#facts.isRead) throw new NeedsFacts();
  }

  readonly #find = (id: string) => this.#known.get(id) ?? this.#facts.known.get(id);

  /** Whether an earlier attempt of this append was committed, although its answer was lost. */
  #isStored({ attempted }: PendingWrite): boolean {
    if (attempted === undefined) return false;
    this.#needFacts();
    // Either all events or none were stored, so checking one is enough. If the append had no new event, nothing was stored, and the write is planned
    // again.
    const one = attempted.find(({ duplicate, taken }) => !duplicate && taken === undefined);
    const found = one && this.#find(one.id);
    return found !== undefined && found.sequence === one?.sequence && found.createdAt === one.createdAt;
  }

  #append(write: PendingWrite, events: readonly NewEvent[]): void {
    const { now } = this.#context;
    const placed: PlacedEvent[] = [];
    const answer = events.map((event): Appended => {
      const placement = placementOf(event, this.#find);
      if ('found' in placement) return placement.found;
      const id = placement.keepAs;
      const sequence = this.#state.last + placed.length + 1;
      placed.push({ ...event, id, sequence, bytes: Buffer.byteLength(event.payload), createdAt: now });
      const { owner, topic } = event;
      this.#known.set(id, {
        sequence,
        createdAt: now,
        ...(owner !== undefined && { owner }),
        ...(topic !== undefined && { topic }),
      });
      return { id, sequence, createdAt: now, duplicate: false };
    });
    const { last, bytes, oldestAt } = this.#state;
    const all = [...this.#events, ...placed];
    const grown = {
      ...this.#state,
      last: last + placed.length,
      bytes: placed.reduce((sum, event) => sum + event.bytes, bytes),
      oldestAt: placed.length > 0 ? (oldestAt ?? now) : oldestAt,
      writtenAt: now,
    };
    if (!this.#takeIfAllowed(write, this.#dropped(grown, all), answer))
      for (const { id } of placed) this.#known.delete(id);
    else this.#events = all;
  }

  #writeDocument(write: PendingWrite, name: string, text: string): void {
    const replaced = this.#documents.get(name);
    if (replaced === undefined) this.#needFacts();
    const size = replaced === undefined ? (this.#facts.documents.get(name) ?? 0) : Buffer.byteLength(replaced);
    const documentBytes = this.#state.documentBytes + Buffer.byteLength(text) - size;
    if (this.#takeIfAllowed(write, { ...this.#state, documentBytes, writtenAt: this.#context.now }, undefined)) {
      this.#documents.set(name, text);
    }
  }

  /** Drops events above the limits on age and size. The result of the write is `true` if nothing is left to drop now. */
  #expire(write: PendingWrite): void {
    this.#needFacts();
    const { now, retention } = this.#context;
    const state = this.#dropped(this.#state, this.#events);
    const isDone = !this.#isTooMuch(state);
    this.#state = state;
    this.#isRemoved = isDone && state.oldestAt === null && now - state.writtenAt > retention.maxAgeMs;
    if (this.#isRemoved) this.#state = { ...state, documentBytes: 0 };
    this.#answers.set(write, isDone);
  }

  #takeIfAllowed(write: PendingWrite, state: StreamState, answer: unknown): boolean {
    const { allows, maxTotalBytes } = this.#context;
    const isAllowed = this.#growthOf(state) <= this.#growthOf(this.#state) || allows(this.#growthOf(state));
    if (isAllowed) {
      this.#state = state;
      this.#epoch = write.condition.epoch ?? this.#epoch;
      this.#answers.set(write, answer);
    } else this.#refusals.set(write, storeFull(maxTotalBytes));
    return isAllowed;
  }

  #growthOf({ bytes, documentBytes }: StreamState): number {
    const { state } = this.#facts;
    return bytes + documentBytes - state.bytes - state.documentBytes;
  }

  #isTooMuch({ first, last, bytes, oldestAt }: StreamState): boolean {
    const { now, retention } = this.#context;
    if (oldestAt === null) return false;
    return now - oldestAt > retention.maxAgeMs || (bytes > retention.maxBytes && first < last);
  }

  /**
   * Returns the state without the oldest events that are too old or exceed the size limit, as far as they were read. The newest event is kept,
   * whatever its size.
   */
  #dropped(state: StreamState, added: readonly PlacedEvent[]): StreamState {
    if (!this.#isTooMuch(state)) return state;
    this.#needFacts();
    let left = state;
    const { oldest, state: before } = this.#facts;
    for (const { sequence, bytes, createdAt } of [...oldest, ...added]) {
      if (sequence < left.first) continue;
      // Not all of the oldest events were read; the next write or `expire` drops the rest.
      if (sequence > left.first && (oldest.at(-1)?.sequence ?? 0) < before.last && sequence > before.last) break;
      left = { ...left, oldestAt: createdAt };
      if (!this.#isTooMuch(left)) return left;
      left = { ...left, first: sequence + 1, bytes: left.bytes - bytes };
    }
    return left.first > left.last ? { ...left, oldestAt: null } : left;
  }
}
