import type { Turn } from './snapshot.ts';
import { type Owner, Thread } from './thread.ts';

type Ended = Pick<Turn, 'outcome' | 'result' | 'endedAt'>;
const RUNNING: Ended = { outcome: undefined, result: undefined, endedAt: undefined };

/** A turn that changes, with a snapshot that does not. */
export class LiveTurn implements Owner {
  readonly id: string;
  readonly thread: Thread;
  /** How many items the turn and its subagents have. */
  size = 0;
  /** The ids of the tool calls, to forget them together with the turn. */
  readonly callIds: string[] = [];
  /** The ids of the prompts that the turn answers. */
  readonly promptIds: string[] = [];
  /** Whether the turn was dropped, because the session has too many items. */
  isDropped = false;
  readonly #startedAt: number;
  readonly #turns: Turns;
  #ended: Ended = RUNNING;
  #snapshot: Turn | undefined;

  constructor(turns: Turns, id: string, startedAt: number) {
    this.#turns = turns;
    this.id = id;
    this.#startedAt = startedAt;
    this.thread = new Thread(this);
  }

  get isRunning(): boolean {
    return this.#ended === RUNNING;
  }

  end(ended: Ended): void {
    this.#ended = ended;
    this.changed();
  }

  grew(): void {
    this.size++;
    this.#turns.grew(this);
  }

  changed(): void {
    this.#snapshot = undefined;
    this.#turns.changed();
  }

  snapshot(): Turn {
    return (this.#snapshot ??= {
      id: this.id,
      items: this.thread.snapshot(),
      outcome: this.#ended.outcome,
      result: this.#ended.result,
      startedAt: this.#startedAt,
      endedAt: this.#ended.endedAt,
    });
  }
}

/** The turns of a session. The oldest turns are dropped when all turns together have too many items. */
export class Turns {
  readonly #maxItems: number;
  readonly #onDrop: (turn: LiveTurn) => void;
  readonly #turns: LiveTurn[] = [];
  #count = 0;
  /** How many items the turns have that are not the last. */
  #endedSize = 0;
  #isTruncated = false;
  #snapshot: readonly Turn[] | undefined = [];

  constructor(maxItems: number, onDrop: (turn: LiveTurn) => void) {
    this.#maxItems = maxItems;
    this.#onDrop = onDrop;
  }

  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  /** The last turn, also if it has ended. */
  get last(): LiveTurn | undefined {
    return this.#turns.at(-1);
  }

  begin(at: number): LiveTurn {
    this.#endedSize += this.last?.size ?? 0;
    const turn = new LiveTurn(this, `turn-${++this.#count}`, at);
    this.#turns.push(turn);
    this.changed();
    this.#trim();
    return turn;
  }

  /** A turn has one more item: its subagent may work although the turn has ended. */
  grew(turn: LiveTurn): void {
    if (turn !== this.last && !turn.isDropped) this.#endedSize++;
  }

  changed(): void {
    this.#snapshot = undefined;
  }

  snapshot(): readonly Turn[] {
    return (this.#snapshot ??= this.#turns.map((turn) => turn.snapshot()));
  }

  #trim(): void {
    while (this.#endedSize > this.#maxItems) {
      const dropped = this.#turns.shift();
      if (dropped === undefined) return;
      this.#endedSize -= dropped.size;
      this.#isTruncated = true;
      dropped.isDropped = true;
      this.#onDrop(dropped);
    }
  }
}
