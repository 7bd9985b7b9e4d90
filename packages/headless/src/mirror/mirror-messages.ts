import { encodeLine } from '@proto/core/framing';
import { type Outgoing, requestIdOf } from '@proto/core/internal';
import type { Batch } from '@proto/core/transport';

export type Frame = Readonly<Record<string, unknown>>;

export function batchOfTexts(messages: readonly Outgoing[]): Batch {
  return {
    count: messages.length,
    get text() {
      return messages.map(({ text }) => `${text}\n`).join('');
    },
    messages: () => messages.values(),
  };
}

export function outgoing(message: Frame): Outgoing {
  const { uuid } = message;
  return { text: encodeLine(message).slice(0, -1), id: typeof uuid === 'string' ? uuid : undefined, ephemeral: false };
}

/** Returns a member that is an object, or an empty object for any other value. */
export function memberOf(frame: Frame, name: string): Frame {
  const value = frame[name];
  return typeof value === 'object' && value !== null ? (value as Frame) : {};
}

export type Side = 'local' | 'remote';

/**
 * The requests that are sent to both hosts. All other requests are sent only to the local host, because the agent uses the hooks and tools of the
 * local host.
 */
const SHARED: readonly unknown[] = ['can_use_tool', 'elicitation', 'request_user_dialog'];

/** The requests that were sent to both hosts and have not been answered. */
export class OpenQuestions {
  readonly #open = new Map<unknown, Frame>();

  of(subtype: string): readonly Frame[] {
    return [...this.#open.values()].filter((frame) => memberOf(frame, 'request')['subtype'] === subtype);
  }

  /** Returns `true` if the request is sent to both hosts. */
  ask(frame: Frame): boolean {
    if (!SHARED.includes(memberOf(frame, 'request')['subtype'])) return false;
    this.#open.set(requestIdOf(frame), frame);
    return true;
  }

  /** Returns `true` only for the first call for this question. */
  settle(requestId: unknown): boolean {
    return this.#open.delete(requestId);
  }
}
