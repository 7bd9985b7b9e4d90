import { requestIdOf } from '@proto/core/internal';
import type { WireMessage } from '@proto/core/framing';
import { createSessionFollower } from '@proto/host';

/** What one client of a session has asked for, and whether it is still waiting for an answer. */
export interface OwnTurns {
  /**
   * Records a message that the client sends. Returns the message to send instead: a prompt without an id gets an id, which its result will contain.
   */
  sent(message: WireMessage): WireMessage;
  /** Records a message that the client receives. */
  received(message: WireMessage): void;
  /** Records that the client will send no more messages. */
  ended(): void;
  /** Whether something that the client has asked for has no answer yet: a prompt, a request, or a task of a prompt. */
  readonly isWaiting: boolean;
}

/**
 * Follows what one client of a session is waiting for. `onOver` is called when the client has stopped sending and has received everything it asked
 * for. `onOver` is not called for a client that never asked for anything.
 */
export function createOwnTurns(onOver: () => void): OwnTurns {
  const follower = createSessionFollower();
  let hasSpoken = false;
  let hasEnded = false;
  const requests = new Set<unknown>();
  const isWaiting = () => follower.state.session !== 'idle' || follower.state.tasks.length > 0 || requests.size > 0;
  const check = () => {
    if (hasEnded && hasSpoken && !isWaiting()) onOver();
  };
  return {
    sent(given) {
      const message = given.type === 'user' ? withUuid(given) : given;
      hasSpoken = true;
      // A prompt that already has its result is not run again, so no second result follows.
      if (message.type === 'user') follower.track({ prompt: String(message['uuid']) });
      else if (message.type === 'control_request') requests.add(requestIdOf(message));
      // A cancelled request may remain unanswered.
      else if (message.type === 'control_cancel_request') requests.delete(requestIdOf(message));
      return message;
    },
    received(message) {
      if (message.type === 'control_response') requests.delete(requestIdOf(Object(message['response'])));
      // The client does not wait for the prompts of other clients. The ends of those prompts are remembered, because the client may send the same
      // prompt again.
      else if (hasSpoken || END_TYPES.includes(message.type)) follower.track({ message });
      check();
    },
    ended() {
      hasEnded = true;
      check();
    },
    get isWaiting() {
      return hasSpoken && isWaiting();
    },
  };
}

function withUuid(prompt: WireMessage): WireMessage {
  return typeof prompt['uuid'] === 'string' ? prompt : { ...prompt, uuid: crypto.randomUUID() };
}

const END_TYPES = ['result', 'command_lifecycle'];
