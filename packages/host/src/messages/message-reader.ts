import type { SessionItem } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import type { AgentMessage, SDKTranscriptMirrorMessage } from '@proto/core/internal';

const DONE = { done: true, value: undefined } as const;

/** Where the items come from, and who judges their end. */
export interface MessageReaderOptions {
  readonly items: AsyncIterator<SessionItem, undefined>;
  /** Called with what the items throw; what it returns from is a clean end. */
  readonly onError: (error: unknown) => void;
  /** Called at the end; may throw. */
  readonly onEnd: () => void;
  /** The application leaves before the end. */
  readonly onLeave: () => void;
}

/** The messages for the application among the items of a session, for one reader at a time. */
export class MessageReader {
  readonly #options: MessageReaderOptions;
  #isIterated = false;

  constructor(options: MessageReaderOptions) {
    this.#options = options;
  }

  /** All that are left. Once; leaving it closes the session. */
  iterate(): AsyncIterator<AgentMessage, undefined> {
    if (this.#isIterated) throw new TypeError('a session can only be iterated once');
    this.#isIterated = true;
    const { items, onLeave } = this.#options;
    return {
      next: () => this.#next(),
      return: async () => {
        onLeave();
        await items.return?.();
        return DONE;
      },
    };
  }

  /** Those up to and with the next result. */
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
    const { items, onError, onEnd } = this.#options;
    for (;;) {
      const { value: item, done } = await items.next().catch((error: unknown) => {
        onError(error);
        return DONE;
      });
      if (done) {
        onEnd();
        return DONE;
      }
      if (item.kind !== 'message' || isForHost(item.message)) continue;
      // What the agent promises: checked where the session has a `validate`.
      return { done: false, value: item.message as AgentMessage };
    }
  }
}

/** Tells what an agent writes to its transcript. */
export function isTranscriptMirror(message: WireMessage): message is WireMessage & SDKTranscriptMirrorMessage {
  return message.type === 'transcript_mirror';
}

/** What the agent writes for the program that hosts it, and not for the conversation. */
function isForHost(message: WireMessage): boolean {
  return isTranscriptMirror(message) || message['sdk_host_only'] === true;
}
