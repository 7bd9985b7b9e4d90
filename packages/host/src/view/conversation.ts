import type { WireMessage } from '@proto/core/framing';
import { isRecord } from '@proto/core/internal';
import type { PromptContent } from '@proto/core/messages';
import { isFollowedByTurn, outcomeOf, promptsNamedBy } from '../state/session-tracker.ts';
import { blocksIn, blocksOf, callIdOf, textIn, textOr } from './content.ts';
import { Prompts } from './prompts.ts';
import type { CallItem, ContentBlock, Item, NoticeItem, Turn } from './snapshot.ts';
import type { Slot, Thread } from './thread.ts';
import { type LiveTurn, Turns } from './turns.ts';

/** Turns messages into the items of turns. Increments are not its subject: they are shown apart, and complete messages follow them. */
export class Conversation {
  readonly prompts = new Prompts();
  readonly turns: Turns;
  readonly #calls = new Map<string, Slot>();
  /** The places of the items that a message added, by its `uuid`. A later message can retract them. */
  readonly #placed = new Map<string, Slot | readonly Slot[]>();
  #count = 0;
  /** Whether the last result named its prompts. */
  #namesPrompts = true;
  /** Whether the agent will begin a turn, or has announced a turn that has no item yet. */
  #expectsTurn = false;

  constructor(maxItems: number) {
    this.turns = new Turns(maxItems, (turn) => this.#forget(turn));
  }

  get isRunning(): boolean {
    return this.#expectsTurn || this.turns.last?.isRunning === true || this.prompts.waiting.length > 0;
  }

  /** The agent has sent `init`, which comes before anything else of a turn, or a task has ended, which the agent reports to the model in a turn. */
  expectTurn(): void {
    this.#expectsTurn = this.turns.last?.isRunning !== true;
  }

  /** The running turn; a new one if none is running. Without ids, the oldest prompt that waits begins its turn. */
  begin(at: number, ids: readonly string[] = []): LiveTurn {
    const { last } = this.turns;
    const turn = last?.isRunning === true ? last : this.turns.begin(at);
    this.#expectsTurn = false;
    for (const id of ids) this.prompts.place(turn, id);
    if (turn !== last && ids.length === 0) this.prompts.place(turn);
    return turn;
  }

  /** A reply of the main conversation has begun. Returns the items of its turn. Replies can name the prompts that they answer. */
  reply(message: WireMessage, at: number): Thread {
    return this.begin(at, promptsNamedBy(message)?.map(String)).thread;
  }

  assistant(message: WireMessage, at: number): void {
    const thread = this.#threadOf(message, at);
    for (const block of blocksIn(message)) this.#remember(message, this.#addBlock(thread, block, message, at));
  }

  /** A message with the role `user` that is not a prompt: results of tools, or a text that no person has written. */
  user(message: WireMessage, at: number): void {
    const blocks = blocksIn(message);
    const results = blocks.filter(({ type }) => type === 'tool_result');
    const metas = Array.isArray(message['tool_result_meta']) ? message['tool_result_meta'].filter(isRecord) : [];
    for (const block of results) {
      const isDenied = metas.some(({ id, non_execution_kind: kind }) => id === block['tool_use_id'] && isDenial(kind));
      // The member describes one result.
      const output = results.length === 1 ? message['tool_use_result'] : undefined;
      this.#finish(block, { output, isDenied, at });
    }
  }

  notice(level: NoticeItem['level'], text: string, message: WireMessage, at: number): void {
    const { last } = this.turns;
    const isNew = this.#expectsTurn || this.prompts.hasConfirmed || last === undefined;
    const turn = last !== undefined && (last.isRunning || !isNew) ? last : this.begin(at);
    this.#remember(message, turn.thread.add({ kind: 'notice', id: this.#id(), level, text, message }));
  }

  progress(id: string, elapsedSeconds: number): void {
    if (this.#calls.get(id)?.call?.state === 'running') this.#calls.get(id)?.update({ elapsedSeconds });
  }

  denied(id: string, at: number): void {
    const slot = this.#calls.get(id);
    const call = slot?.call;
    if (call !== undefined && call.state !== 'denied') slot?.update({ state: 'denied', endedAt: call.endedAt ?? at });
  }

  /** A subagent has ended, so none of its calls will have a result. */
  stopCalls(id: string, at: number): void {
    const thread = this.#calls.get(id)?.nested;
    if (thread !== undefined) stopIn(thread, at);
  }

  /** Removes the items of messages that another message replaces. */
  retract(uuids: unknown): void {
    for (const uuid of Array.isArray(uuids) ? uuids : []) {
      for (const slot of [this.#placed.get(String(uuid)) ?? []].flat()) slot.remove();
      this.#placed.delete(String(uuid));
    }
  }

  /** Ends the running turn with its result. */
  end(message: WireMessage, at: number): void {
    const named = promptsNamedBy(message)?.map(String);
    const turn = this.begin(at, named);
    const outcome = outcomeOf(message);
    this.#settle(turn, named ?? turn.promptIds, outcome === 'interrupted' ? 'cancelled' : 'done');
    const { result, permission_denials: denials } = message;
    for (const denial of Array.isArray(denials) ? denials.filter(isRecord) : [])
      this.denied(String(denial['tool_use_id']), at);
    const isAnswer = outcome === 'success' && typeof result === 'string' && result !== '';
    if (isAnswer && !turn.thread.has('text')) turn.thread.add(this.#text(result));
    stopIn(turn.thread, at);
    turn.end({ outcome, result: message as unknown as NonNullable<Turn['result']>, endedAt: at });
    this.#expectsTurn = isFollowedByTurn(message);
    this.#namesPrompts = named !== undefined;
  }

  /** The agent has nothing left to do. If its results do not name prompts, one result may have answered several. */
  idle(at: number): void {
    const { last } = this.turns;
    this.#expectsTurn = false;
    if (last === undefined) return;
    if (!this.#namesPrompts) this.#settle(last, this.prompts.waiting, 'done');
    if (!last.isRunning) return;
    stopIn(last.thread, at);
    last.end({ outcome: 'interrupted', result: undefined, endedAt: at });
  }

  #settle(turn: LiveTurn, prompts: readonly string[], state: 'done' | 'cancelled'): void {
    for (const id of prompts) {
      this.prompts.place(turn, id);
      this.prompts.advance(id, state);
    }
  }

  #addBlock(thread: Thread, block: ContentBlock, message: WireMessage, at: number): Slot | undefined {
    const { type } = block;
    if (type === 'text') {
      const { error, aborted } = message;
      const text = textOr(block['text'], '');
      return thread.add(this.#text(text, textOr(error, undefined), aborted === true));
    }
    if (type === 'thinking' || type === 'redacted_thinking')
      return thread.add({ kind: 'thinking', id: this.#id(), text: textOr(block['thinking'], '') });
    if (type.endsWith('tool_use')) return this.#call(thread, block, at);
    if (typeof block['tool_use_id'] === 'string') {
      this.#finish(block, { output: undefined, isDenied: false, at });
      return undefined;
    }
    return thread.add({ kind: 'block', id: this.#id(), block });
  }

  #call(thread: Thread, { id, name, input }: ContentBlock, at: number): Slot | undefined {
    const known = this.#calls.get(String(id));
    const changes = { name: textOr(name, ''), input: isRecord(input) ? input : {} };
    // Its result or its subagent was seen first, because the beginning of the session is missing.
    if (known?.call === undefined) return this.#addCall(thread, String(id), changes, at);
    known.update(changes);
    return undefined;
  }

  #addCall(thread: Thread, id: string, known: Pick<CallItem, 'name' | 'input'>, at: number): Slot {
    const slot = thread.add({
      kind: 'call',
      id,
      name: known.name,
      input: known.input,
      state: 'running',
      result: undefined,
      output: undefined,
      elapsedSeconds: undefined,
      items: [],
      startedAt: at,
      endedAt: undefined,
    });
    this.#calls.set(id, slot);
    (thread.owner as LiveTurn).callIds.push(id);
    return slot;
  }

  /** The place of a call. A call that is not known is added, so that nothing of it is lost. */
  #slotOf(id: string, at: number): Slot {
    const { last } = this.turns;
    return this.#calls.get(id) ?? this.#addCall((last ?? this.begin(at)).thread, id, { name: '', input: {} }, at);
  }

  #finish(
    { tool_use_id: id, content, is_error: isError }: ContentBlock,
    { output, isDenied, at }: { readonly output: unknown; readonly isDenied: boolean; readonly at: number },
  ): void {
    const slot = this.#slotOf(String(id), at);
    const failed = isError === true ? 'failed' : 'done';
    const state = isDenied || slot.call?.state === 'denied' ? 'denied' : failed;
    const result = typeof content === 'string' ? content : blocksOf(Array.isArray(content) ? content : [content]);
    slot.update({ state, result, output, endedAt: at });
  }

  #threadOf(message: WireMessage, at: number): Thread {
    const callId = callIdOf(message);
    return callId === undefined ? this.reply(message, at) : this.#slotOf(callId, at).items;
  }

  #remember({ uuid }: WireMessage, slot: Slot | undefined): void {
    if (typeof uuid !== 'string' || slot === undefined) return;
    const before = this.#placed.get(uuid);
    this.#placed.set(uuid, before === undefined ? slot : [before, slot].flat());
  }

  #text(text: string, error?: string, isAborted = false): Item {
    return { kind: 'text', id: this.#id(), text, error, isAborted };
  }

  #id(): string {
    return `item-${++this.#count}`;
  }

  #forget(turn: LiveTurn): void {
    for (const id of turn.callIds) this.#calls.delete(id);
    for (const id of turn.promptIds) this.prompts.forget(id);
    for (const [uuid, placed] of this.#placed) {
      const [slot] = [placed].flat() as [Slot];
      // Only a subagent adds messages to an earlier turn, so most messages are in the order of their turns.
      if (!(slot.thread.owner as LiveTurn).isDropped) break;
      this.#placed.delete(uuid);
    }
  }
}

/** A text that a person has written, and not the agent on behalf of a person. */
export function promptIn(message: WireMessage): PromptContent | undefined {
  const blocks = blocksIn(message);
  const isPrompt =
    message['isSynthetic'] !== true &&
    callIdOf(message) === undefined &&
    blocks.length > 0 &&
    blocks.every(({ type }) => type !== 'tool_result') &&
    !/^(?:\[Request interrupted by user|<local-command-std)/.test(textIn(blocks));
  const { content } = Object(message['message']) as { readonly content?: unknown };
  return isPrompt ? (typeof content === 'string' ? content : (blocks as PromptContent)) : undefined;
}

function stopIn(thread: Thread, at: number): void {
  thread.eachCall((index, call) => {
    if (call.state === 'running') thread.set(index, { ...call, state: 'stopped', endedAt: at });
  });
}

function isDenial(kind: unknown): boolean {
  return kind === 'permission-rule' || kind === 'user-rejected';
}
