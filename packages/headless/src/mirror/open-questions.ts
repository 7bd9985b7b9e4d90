import { requestIdOf } from '@proto/core/internal';
import { type Frame, memberOf } from './frames.ts';

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
