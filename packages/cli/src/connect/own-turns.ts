import { requestIdOf } from '@proto/core/internal';
import type { WireMessage } from '@proto/core';
import { createSessionFollower } from '@proto/host';

/** What one client of a session has said, and whether it still waits for something. */
export interface OwnTurns {
  said(message: WireMessage): void;
  heard(message: WireMessage): void;
  /** This client says no more. */
  ended(): void;
  /** Whether a prompt of its own has no result yet. */
  readonly isWaiting: boolean;
}

/** `onOver` is called when a client that says no more has heard all it asked for. One that never said anything goes on listening. */
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
    said(message) {
      hasSpoken = true;
      // One that had its result is not run again, and nothing more is heard of it.
      if (message.type === 'user') follower.track({ prompt: String(message['uuid']) });
      else if (message.type === 'control_request') requests.add(requestIdOf(message));
      // What is taken back may stay without an answer.
      else if (message.type === 'control_cancel_request') requests.delete(requestIdOf(message));
    },
    heard(message) {
      if (message.type === 'control_response') requests.delete(requestIdOf(Object(message['response'])));
      // What others ask of the agent is not waited for; which of their prompts are over is remembered.
      else if (hasSpoken || TELLS_ENDS.includes(message.type)) follower.track({ message });
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

const TELLS_ENDS = ['result', 'command_lifecycle'];
