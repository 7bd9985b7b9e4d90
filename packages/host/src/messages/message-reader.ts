import type { SessionItem } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import type { AgentMessage, SDKTranscriptMirrorMessage } from '@proto/core/messages';
import { TransportError } from '@proto/core/transport';
import type { HostWire } from '../host-wire.ts';
import type { FollowedSession } from '../state/session-follower.ts';

const DONE = { done: true, value: undefined } as const;

/** Selects the messages for the program from the items of a session, for one reader at a time. */
export class MessageReader {
  readonly #wire: HostWire;
  readonly #follower: FollowedSession;
  readonly #items: AsyncIterator<SessionItem, undefined>;
  #isIterated = false;

  constructor(wire: HostWire, follower: FollowedSession) {
    this.#wire = wire;
    this.#follower = follower;
    this.#items = wire.session[Symbol.asyncIterator]();
  }

  /** Can be called only once. Leaving the loop closes the session. */
  iterate(): AsyncIterator<AgentMessage, undefined> {
    if (this.#isIterated) throw new TypeError('a session can only be iterated once');
    this.#isIterated = true;
    return {
      next: () => this.#next(),
      return: async () => {
        this.#wire.isLeft = true;
        await this.#items.return?.();
        return DONE;
      },
    };
  }

  untilResult(): AsyncIterableIterator<AgentMessage> {
    let isOver = false;
    const iterator: AsyncIterableIterator<AgentMessage> = {
      next: async () => {
        if (isOver) return DONE;
        const next = await this.#next();
        isOver = next.done === true || next.value.type === 'result';
        return next;
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return iterator;
  }

  async #next(): Promise<IteratorResult<AgentMessage, undefined>> {
    for (;;) {
      const { value: item, done } = await this.#items.next().catch((error: unknown) => {
        if (!this.#follower.hasReported(error)) throw error;
        return DONE;
      });
      if (done) {
        this.#end();
        return DONE;
      }
      if (item.kind !== 'message' || isOnlyForHost(item.message)) continue;
      // The type is not checked here: messages are checked only if the session has a `validate` option.
      return { done: false, value: item.message as AgentMessage };
    }
  }

  #end(): void {
    const left = this.#wire.isLeft ? 0 : this.#follower.promptsLeft;
    // No more answers can arrive, but the agent's process may keep running after the end of its output.
    void this.#wire.close();
    if (left > 0) throw new TransportError('lost', `the agent ended, but ${left} prompts have no result`);
  }
}

/** True if a message contains additions to the agent's transcript. */
export function isTranscriptMirror(message: WireMessage): message is WireMessage & SDKTranscriptMirrorMessage {
  return message.type === 'transcript_mirror';
}

/** True if the program does not receive a message, because only the session uses it. */
export function isOnlyForHost(message: WireMessage): boolean {
  return isTranscriptMirror(message) || message['sdk_host_only'] === true;
}
