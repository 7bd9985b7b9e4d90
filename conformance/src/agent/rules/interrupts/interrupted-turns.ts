import { onceFor } from '../../../once-for.ts';
import { listOf, member, type Message, type Session } from '../../session-log.ts';
import { blocksOfType, isMain } from '../messages/message-rules.ts';
import { answeredId, isInit, payloadOf, subtypeOf, timelineOf } from '../timeline.ts';

/** A turn, with what may have ended it. */
export interface Turn {
  /** The last message is the result. */
  readonly messages: Message[];
  readonly asked: Set<unknown>;
  /** Whether an interrupt was answered with success before the result. */
  isInterrupted: boolean;
  /** The calls that had no result or had an open question when the interrupt was answered. */
  openCalls: ReadonlySet<unknown>;
  /** Whether something else may also have ended the turn. */
  isUnsure: boolean;
}

const isStop = (message: Message) =>
  message['priority'] === 'now' ||
  member(payloadOf(message), 'interrupt') === true ||
  subtypeOf(message) === 'end_session';

export const turnsWithResult: (session: Session) => readonly Turn[] = onceFor((session) => {
  const turns: Turn[] = [];
  let turn: Turn | undefined;
  let calls = new Set<unknown>();
  // Interrupts without an answer. They may end a turn that begins after they were sent.
  const pending = new Set<unknown>();
  // Prompts that end a running turn, and have not started.
  const urgent = new Set<unknown>();
  const waiting = new WaitingPrompts();
  let mayHaveCut = false;
  for (const { message, isOurs } of timelineOf(session)) {
    waiting.note(message, isOurs);
    if (isOurs) {
      if (subtypeOf(message) === 'interrupt') {
        pending.add(message['request_id']);
        turn?.asked.add(message['request_id']);
      }
      if (turn !== undefined && isStop(message)) turn.isUnsure = true;
      if (message['priority'] === 'now') urgent.add(message['uuid']);
      continue;
    }
    if (message['state'] === 'started') urgent.delete(message['command_uuid']);
    // An interrupt that is answered between two turns may apply to the prompt of the second one, if the agent has this prompt.
    if (pending.delete(answeredId(message)) && turn === undefined) mayHaveCut ||= waiting.hasSome;
    if (isInit(message)) {
      turn = {
        messages: [],
        asked: new Set(pending),
        isInterrupted: false,
        openCalls: new Set(),
        isUnsure: session.signalledByStep === true || mayHaveCut || urgent.size > 0,
      };
      mayHaveCut = false;
      calls = new Set();
    }
    if (turn === undefined) continue;
    turn.messages.push(message);
    if (isMain(message)) for (const { id } of blocksOfType(message, 'tool_use')) calls.add(id);
    for (const { tool_use_id: id } of blocksOfType(message, 'tool_result')) calls.delete(id);
    if (turn.asked.has(answeredId(message)) && payloadOf(message) !== undefined && !turn.isInterrupted) {
      turn.isInterrupted = true;
      turn.openCalls = new Set(calls);
    }
    if (message['type'] !== 'result') continue;
    turns.push(turn);
    turn = undefined;
  }
  return turns;
});

/** The prompts that have been sent, and whose turns have not ended. */
class WaitingPrompts {
  readonly #ids = new Set<unknown>();
  #hasUnnamed = false;
  /** Whether a task has ended. The agent may begin a turn because of it at any time. */
  #hasTask = false;

  get hasSome(): boolean {
    return this.#hasUnnamed || this.#hasTask || this.#ids.size > 0;
  }

  note(message: Message, isOurs: boolean): void {
    const { type, uuid, command_uuid: id, state } = message;
    if (isOurs && type === 'user') {
      this.#hasUnnamed ||= uuid === undefined;
      this.#ids.add(uuid);
    }
    if (isOurs) return;
    this.#hasTask ||= message['subtype'] === 'task_notification';
    if (type === 'command_lifecycle' && (state === 'completed' || state === 'cancelled')) this.#ids.delete(id);
    for (const named of listOf(message['user_message_uuids'])) this.#ids.delete(named);
  }
}
