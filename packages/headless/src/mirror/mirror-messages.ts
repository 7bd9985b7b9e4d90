import { encodeLine } from '@proto/core/framing';
import { type Outgoing, requestIdOf } from '@proto/core/internal';
import type { Batch } from '@proto/core/transport';

/** A message as a mirror reads it. */
export type Frame = Readonly<Record<string, unknown>>;

/** Messages that are handed on as they are. */
export function batchOfTexts(messages: readonly Outgoing[]): Batch {
  return {
    count: messages.length,
    get text() {
      return messages.map(({ text }) => `${text}\n`).join('');
    },
    messages: () => messages.values(),
  };
}

/** A message of this side's own. */
export function outgoing(message: Frame): Outgoing {
  const { uuid } = message;
  return { text: encodeLine(message).slice(0, -1), id: typeof uuid === 'string' ? uuid : undefined, ephemeral: false };
}

/** A member that is an object; empty where it is none. */
export function memberOf(frame: Frame, name: string): Frame {
  const value = frame[name];
  return typeof value === 'object' && value !== null ? (value as Frame) : {};
}

/** The two who host one session. */
export type Side = 'local' | 'remote';

/** What both are asked; all else is between the agent and the one host that its hooks and tools are of. */
const SHARED: readonly unknown[] = ['can_use_tool', 'elicitation', 'request_user_dialog'];

/** The questions that both hosts were asked and nobody has answered. */
export class OpenQuestions {
  readonly #open = new Map<unknown, Frame>();

  /** The requests as they were asked, of one kind. */
  of(subtype: string): readonly Frame[] {
    return [...this.#open.values()].filter((frame) => memberOf(frame, 'request')['subtype'] === subtype);
  }

  /** The agent asks something; true where both are asked. */
  ask(frame: Frame): boolean {
    if (!SHARED.includes(memberOf(frame, 'request')['subtype'])) return false;
    this.#open.set(requestIdOf(frame), frame);
    return true;
  }

  /** A question is over, by an answer or because it was taken back; true for the first to say so. */
  settle(requestId: unknown): boolean {
    return this.#open.delete(requestId);
  }
}
