import type { PromptContent } from '@proto/core/messages';
import type { PromptState } from '../prompts/prompt-delivery.ts';
import type { PromptItem } from './snapshot.ts';
import type { Slot } from './thread.ts';
import type { LiveTurn } from './turns.ts';

interface Known {
  item: PromptItem;
  /** The place in a turn. Undefined while the prompt waits for its turn. */
  slot: Slot | undefined;
  /** Whether a message has confirmed the prompt, so that its place among the messages is known. */
  isConfirmed: boolean;
  readonly isAnonymous: boolean;
}

const ORDER: readonly PromptState[] = ['held', 'accepted', 'delivered', 'started', 'done', 'cancelled', 'lost'];
const FINAL = ORDER.indexOf('done');

/** The prompts of a session: those that wait for their turn, and where each of the others stands in its turn. */
export class Prompts {
  readonly #known = new Map<string, Known>();
  #waiting: Known[] = [];
  #anonymous = 0;
  /** Whether this agent confirms prompts at all. */
  #confirms = false;
  #snapshot: readonly PromptItem[] | undefined = [];

  /** The ids of the prompts that wait for their turn. */
  get waiting(): readonly string[] {
    return this.#waiting.filter(({ item }) => item.state !== 'lost').map(({ item }) => item.id);
  }

  /** Whether a confirmed prompt waits for its turn. */
  get hasConfirmed(): boolean {
    return this.#waiting.some(({ isConfirmed }) => isConfirmed);
  }

  /** Adds a prompt to the queue, and returns its id. A prompt that is already known by its `uuid` only advances. */
  add(content: PromptContent, uuid: string | undefined, state: PromptState): string {
    const known = uuid === undefined ? undefined : this.#known.get(uuid);
    const id = uuid ?? `prompt-${++this.#anonymous}`;
    if (known !== undefined) {
      this.#advance(known, state);
      return id;
    }
    const added: Known = {
      item: { kind: 'prompt', id, content, state },
      slot: undefined,
      isConfirmed: false,
      isAnonymous: uuid === undefined,
    };
    this.#known.set(id, added);
    this.#waiting.push(added);
    this.#snapshot = undefined;
    return id;
  }

  /** Recognises the echo of a prompt that was sent without an id, by its content. Returns whether there is such a prompt. */
  adopt(content: PromptContent, uuid: string | undefined): boolean {
    const same = this.#waiting.find(
      ({ item, isAnonymous }) => isAnonymous && JSON.stringify(item.content) === JSON.stringify(content),
    );
    if (same === undefined) return false;
    if (uuid !== undefined) this.#known.set(uuid, same);
    this.confirm(same.item.id);
    return true;
  }

  has(uuid: string): boolean {
    return this.#known.has(uuid);
  }

  /** A prompt never returns to an earlier state. */
  advance(id: string, state: PromptState): void {
    const known = this.#known.get(id);
    if (known !== undefined) this.#advance(known, state);
  }

  /** A message has confirmed a prompt. */
  confirm(id: string): void {
    const known = this.#known.get(id);
    if (known === undefined) return;
    known.isConfirmed = true;
    this.#confirms = true;
    this.#advance(known, 'delivered');
  }

  /** Moves a waiting prompt into a turn: the named one, or the oldest. A prompt that is still on its way to the agent cannot have a turn yet. */
  place(turn: LiveTurn, id?: string): void {
    const known =
      id === undefined
        ? this.#waiting.find(({ item, isConfirmed }) => item.state !== 'lost' && (isConfirmed || !this.#confirms))
        : this.#known.get(id);
    if (known === undefined || known.slot !== undefined || !this.#waiting.includes(known)) return;
    this.#leave(known);
    this.#advance(known, 'started');
    known.slot = turn.thread.add(known.item);
    turn.promptIds.push(known.item.id);
  }

  /** Forgets a prompt whose turn was dropped. */
  forget(id: string): void {
    this.#known.delete(id);
  }

  snapshot(): readonly PromptItem[] {
    return (this.#snapshot ??= this.#waiting.map(({ item }) => item));
  }

  #advance(known: Known, state: PromptState): void {
    const from = ORDER.indexOf(known.item.state);
    if (from >= FINAL || ORDER.indexOf(state) <= from) return;
    known.item = { ...known.item, state };
    this.#snapshot = undefined;
    if (known.slot !== undefined) known.slot.replace(known.item);
    // A prompt that is cancelled before its turn will never have a turn.
    else if (state === 'cancelled') this.#leave(known);
  }

  #leave(known: Known): void {
    this.#waiting = this.#waiting.filter((one) => one !== known);
    this.#snapshot = undefined;
  }
}
