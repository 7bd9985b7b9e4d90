import { encodeLine } from '@proto/core/framing';
import { type Outgoing, requestIdOf } from '@proto/core/internal';
import type { Batch } from '@proto/core/transport';

/** A message as a mirror reads it. */
export type Frame = Readonly<Record<string, unknown>>;

/** Creates a batch of messages that are passed on unchanged. */
export function batchOfTexts(messages: readonly Outgoing[]): Batch {
  return {
    count: messages.length,
    get text() {
      return messages.map(({ text }) => `${text}\n`).join('');
    },
    messages: () => messages.values(),
  };
}

/** Creates an outgoing message from the mirror itself. */
export function outgoing(message: Frame): Outgoing {
  const { uuid } = message;
  return { text: encodeLine(message).slice(0, -1), id: typeof uuid === 'string' ? uuid : undefined, ephemeral: false };
}

/** Returns a member that is an object; an empty object for any other value. */
export function memberOf(frame: Frame, name: string): Frame {
  const value = frame[name];
  return typeof value === 'object' && value !== null ? (value as Frame) : {};
}

/** The two hosts of one session. */
export type Side = 'local' | 'remote';

/** The requests that both hosts get. All other requests go to the local host, whose hooks and tools the agent uses. */
const SHARED: readonly unknown[] = ['can_use_tool', 'elicitation', 'request_user_dialog'];

/** The requests that both hosts got and no host has answered. */
export class OpenQuestions {
  readonly #open = new Map<unknown, Frame>();

  /** The open requests of one kind. */
  of(subtype: string): readonly Frame[] {
    return [...this.#open.values()].filter((frame) => memberOf(frame, 'request')['subtype'] === subtype);
  }

  /** Records a request of the agent. Returns true if both hosts get the request. */
  ask(frame: Frame): boolean {
    if (!SHARED.includes(memberOf(frame, 'request')['subtype'])) return false;
    this.#open.set(requestIdOf(frame), frame);
    return true;
  }

  /** Records that a question was answered or cancelled. Returns true at the first call for the question. */
  settle(requestId: unknown): boolean {
    return this.#open.delete(requestId);
  }
}
