import { requestIdOf } from '@proto/core/internal';
import type { WireMessage } from '@proto/core/framing';
import { createSessionFollower } from '@proto/host';

/** What one client of a session has asked for, and whether it still waits for an answer. */
export interface OwnTurns {
  /**
   * Records a message that the client sends. Returns the message to send in its place: a prompt without an id gets one, by which its result names it.
   */
  sent(message: WireMessage): WireMessage;
  /** Records a message that the client receives. */
  received(message: WireMessage): void;
  /** Records that the client sends no more. */
  ended(): void;
  /** Whether something that the client has asked for has no answer yet: a prompt, a request, or a task of a prompt. */
  readonly isWaiting: boolean;
}

/**
 * Follows what one client of a session waits for. `onOver` is called when a client that sends no more has received all it asked for; for a client
 * that never asked for anything it is not called.
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
      // A prompt that had its result is not run again, and no second result follows.
      if (message.type === 'user') follower.track({ prompt: String(message['uuid']) });
      else if (message.type === 'control_request') requests.add(requestIdOf(message));
      // A request that was taken back may stay without an answer.
      else if (message.type === 'control_cancel_request') requests.delete(requestIdOf(message));
      return message;
    },
    received(message) {
      if (message.type === 'control_response') requests.delete(requestIdOf(Object(message['response'])));
      // The client does not wait for prompts of others. Their ends are remembered, as the client may send the same prompt again.
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
