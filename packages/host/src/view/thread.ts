import type { CallItem, Item } from './snapshot.ts';

/** Calls of subagents that are nested deeper than this share one list of items. A peer could otherwise nest them without end. */
const MAX_DEPTH = 20;

type CallChanges = Partial<Omit<CallItem, 'kind' | 'id' | 'startedAt'>>;

/** Counts the items of a turn, and is notified when one of them changes. */
export interface Owner {
  grew(): void;
  changed(): void;
}

/** A list of items that creates a new snapshot only of what has changed. */
export class Thread {
  readonly depth: number;
  readonly #owner: Owner;
  readonly #parent: Slot | undefined;
  readonly #items: (Item | undefined)[] = [];
  /** The calls whose subagents have done something since the last snapshot. */
  #changed: Set<Slot> | undefined;
  #hasHoles = false;
  #snapshot: readonly Item[] | undefined = [];

  constructor(owner: Owner, parent?: Slot) {
    this.#owner = owner;
    this.#parent = parent;
    this.depth = parent === undefined ? 0 : parent.thread.depth + 1;
  }

  get owner(): Owner {
    return this.#owner;
  }

  add(item: Item): Slot {
    this.#items.push(item);
    this.#owner.grew();
    this.#touch();
    return new Slot(this, this.#items.length - 1);
  }

  at(index: number): Item | undefined {
    return this.#items[index];
  }

  /** Replaces an item, or removes it. */
  set(index: number, item: Item | undefined): void {
    this.#items[index] = item;
    this.#hasHoles ||= item === undefined;
    this.#touch();
  }

  /** Calls the function with each tool call of the list. */
  eachCall(visit: (index: number, call: CallItem) => void): void {
    for (const [index, item] of this.#items.entries()) if (item?.kind === 'call') visit(index, item);
  }

  has(kind: Item['kind']): boolean {
    return this.#items.some((item) => item?.kind === kind);
  }

  snapshot(): readonly Item[] {
    if (this.#snapshot !== undefined) return this.#snapshot;
    for (const slot of this.#changed ?? []) {
      const { call, nested } = slot;
      if (call !== undefined && nested !== undefined) this.#items[slot.index] = { ...call, items: nested.snapshot() };
    }
    this.#changed = undefined;
    const items = this.#items;
    return (this.#snapshot = this.#hasHoles ? items.filter((item) => item !== undefined) : (items.slice() as Item[]));
  }

  /** Marks a call as changed, and everything that contains it. */
  nestedChanged(slot: Slot): void {
    this.#changed ??= new Set();
    this.#changed.add(slot);
    this.#touch();
  }

  #touch(): void {
    this.#snapshot = undefined;
    if (this.#parent === undefined) this.#owner.changed();
    else this.#parent.thread.nestedChanged(this.#parent);
  }
}

/** The place of an item in a thread. */
export class Slot {
  readonly thread: Thread;
  readonly index: number;
  #nested: Thread | undefined;

  constructor(thread: Thread, index: number) {
    this.thread = thread;
    this.index = index;
  }

  /** The tool call in this place. */
  get call(): CallItem | undefined {
    const item = this.thread.at(this.index);
    return item?.kind === 'call' ? item : undefined;
  }

  get nested(): Thread | undefined {
    return this.#nested;
  }

  /** The items of the subagent of the call in this place. */
  get items(): Thread {
    if (this.thread.depth >= MAX_DEPTH) return this.thread;
    return (this.#nested ??= new Thread(this.thread.owner, this));
  }

  /** Changes the tool call in this place. */
  update(changes: CallChanges): void {
    const { call } = this;
    if (call !== undefined) this.thread.set(this.index, { ...call, ...changes });
  }

  replace(item: Item): void {
    if (this.thread.at(this.index) !== undefined) this.thread.set(this.index, item);
  }

  remove(): void {
    this.thread.set(this.index, undefined);
  }
}
