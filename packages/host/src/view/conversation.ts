import type { WireMessage } from '@proto/core/framing';
import { isRecord } from '@proto/core/internal';
import type { PromptContent } from '@proto/core/messages';
import type { SessionState } from '../state/session-tracker.ts';
import { blocksIn, callIdOf, textIn, textOr } from './content.ts';
import { Prompts } from './prompts.ts';
import type { CallItem, ContentBlock, Item, NoticeItem, Turn } from './snapshot.ts';
import type { Slot, Thread } from './thread.ts';
import { type LiveTurn, Turns } from './turns.ts';

type Outcome = NonNullable<SessionState['last']>['outcome'];

/** Turns messages into the items of turns. Increments are not its subject: they are shown apart, and complete messages follow them. */
export class Conversation {
  readonly prompts = new Prompts();
  readonly turns: Turns;
  readonly #calls = new Map<string, Slot>();
  /** The places of the items that a message added, by its `uuid`. A later message can retract them. */
  readonly #placed = new Map<string, readonly Slot[]>();
  #count = 0;
  /** Whether the agent has announced a turn that has no item yet. */
  #isAnnounced = false;

  constructor(maxItems: number) {
    this.turns = new Turns(maxItems, (turn) => this.#forget(turn));
  }

  /** The agent has sent `init`, which comes before anything else of a turn. */
  announce(): void {
    this.#isAnnounced = true;
  }

  /** The running turn; a new one if none is running. Without `id`, the oldest prompt that waits begins its turn. */
  begin(at: number, id?: string): LiveTurn {
    const { last } = this.turns;
    if (last?.isRunning === true) {
      if (id !== undefined) this.prompts.place(last.thread, id);
      return last;
    }
    this.#isAnnounced = false;
    const turn = this.turns.begin(at);
    this.prompts.place(turn.thread, id);
    return turn;
  }

  /** A reply of the main conversation has begun. Returns the items of its turn. Replies can name the prompts that they answer. */
  reply({ user_message_uuids: all, user_message_uuid: one }: WireMessage, at: number): Thread {
    const named = Array.isArray(all) ? all.map(String) : typeof one === 'string' ? [one] : [];
    const { thread } = this.begin(at, named[0]);
    for (const id of named) this.prompts.place(thread, id);
    return thread;
  }

  assistant(message: WireMessage, at: number): void {
    const thread = this.#threadOf(message, at);
    const slots = blocksIn(message).flatMap((block) => this.#addBlock(thread, block, message, at));
    this.#remember(message, slots);
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
    const isNew = this.#isAnnounced || this.prompts.hasWaiting || last === undefined;
    const turn = last !== undefined && (last.isRunning || !isNew) ? last : this.begin(at);
    this.#remember(message, [turn.thread.add({ kind: 'notice', id: this.#id(), level, text, message })]);
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
      for (const slot of this.#placed.get(String(uuid)) ?? []) slot.remove();
      this.#placed.delete(String(uuid));
    }
  }

  /** The agent will not answer these prompts any more: the last turn has answered them. */
  settle(prompts: readonly string[], at: number): void {
    const { thread } = this.turns.last ?? this.begin(at);
    for (const id of prompts) {
      this.prompts.place(thread, id);
      this.prompts.advance(id, 'done');
    }
  }

  /** Ends the running turn. `prompts` are the prompts that the result answers. */
  end(message: WireMessage, outcome: Outcome, prompts: readonly string[], at: number): void {
    const turn = this.begin(at, prompts[0]);
    for (const id of prompts) {
      this.prompts.place(turn.thread, id);
      this.prompts.advance(id, outcome === 'interrupted' ? 'cancelled' : 'done');
    }
    const { result, permission_denials: denials } = message;
    for (const denial of Array.isArray(denials) ? denials.filter(isRecord) : [])
      this.denied(String(denial['tool_use_id']), at);
    if (typeof result === 'string' && result !== '' && !turn.thread.has('text'))
      turn.thread.add(this.#text(result, { error: undefined, isAborted: false }));
    stopIn(turn.thread, at);
    turn.end({ outcome, result: message as unknown as NonNullable<Turn['result']>, endedAt: at });
  }

  #addBlock(thread: Thread, block: ContentBlock, message: WireMessage, at: number): Slot[] {
    const { type } = block;
    if (type === 'text') {
      const { error, aborted } = message;
      const text = textOr(block['text'], '');
      return [thread.add(this.#text(text, { error: textOr(error, undefined), isAborted: aborted === true }))];
    }
    if (type === 'thinking' || type === 'redacted_thinking')
      return [thread.add({ kind: 'thinking', id: this.#id(), text: textOr(block['thinking'], '') })];
    if (type.endsWith('tool_use')) return this.#call(thread, block, at);
    if (typeof block['tool_use_id'] === 'string') {
      this.#finish(block, { output: undefined, isDenied: false, at });
      return [];
    }
    return [thread.add({ kind: 'block', id: this.#id(), block })];
  }

  #call(thread: Thread, { id, name, input }: ContentBlock, at: number): Slot[] {
    const known = this.#calls.get(String(id));
    const changes = { name: textOr(name, ''), input: isRecord(input) ? input : {} };
    // Its result or its subagent was seen first, because the beginning of the session is missing.
    if (known?.call !== undefined) known.update(changes);
    else return [this.#addCall(thread, String(id), changes, at)];
    return [];
  }

  #addCall(thread: Thread, id: string, known: Pick<CallItem, 'name' | 'input'>, at: number): Slot {
    const slot = thread.add({
      kind: 'call',
      id,
      ...known,
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
    const result = typeof content === 'string' || Array.isArray(content) ? content : [content].filter(isRecord);
    slot.update({ state, result, output, elapsedSeconds: undefined, endedAt: at });
  }

  #threadOf(message: WireMessage, at: number): Thread {
    const callId = callIdOf(message);
    return callId === undefined ? this.reply(message, at) : this.#slotOf(callId, at).items;
  }

  #remember({ uuid }: WireMessage, slots: readonly Slot[]): void {
    if (typeof uuid === 'string' && slots.length > 0) this.#placed.set(uuid, slots);
  }

  #text(text: string, rest: { readonly error: string | undefined; readonly isAborted: boolean }): Item {
    return { kind: 'text', id: this.#id(), text, ...rest };
  }

  #id(): string {
    return `item-${++this.#count}`;
  }

  #forget(turn: LiveTurn): void {
    for (const id of turn.callIds) this.#calls.delete(id);
    for (const item of turn.snapshot().items) if (item.kind === 'prompt') this.prompts.forget(item.id);
    for (const [uuid, [slot]] of this.#placed) {
      // Messages are remembered in the order of their turns.
      if (slot?.thread.owner !== turn) break;
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
  return isPrompt ? (Object(message['message']).content as PromptContent) : undefined;
}

function stopIn(thread: Thread, at: number): void {
  thread.eachCall((index, call) => {
    if (call.state === 'running') thread.set(index, { ...call, state: 'stopped', endedAt: at });
  });
}

function isDenial(kind: unknown): boolean {
  return kind === 'permission-rule' || kind === 'user-rejected';
}
