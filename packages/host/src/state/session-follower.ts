import { RecentIds } from '@proto/core/internal';
import { TransportError } from '@proto/core/transport';
import {
  DEFAULT_MAX_FOLLOWED_PROMPTS,
  INITIAL_SESSION_STATE,
  type SessionEvent,
  type SessionState,
  trackSession,
} from './session-tracker.ts';

// One that was refused may come again; what could not be sent never came.
const TAKEN = ['completed', 'cancelled', 'discarded'];

/**
 * The state of one session as its events come. It remembers the prompts that are over, the last 10 000 of them: an agent runs none a second
 * time, and says nothing of one that is said again, so such a prompt changes nothing here.
 */
export interface SessionFollower {
  readonly state: SessionState;
  /** Whether a prompt is over, so that no turn of it will come. */
  isOver(uuid: string): boolean;
  /** The state after an event, as `trackSession` has it; the same object where nothing changed. */
  track(event: SessionEvent): SessionState;
}

/** Follows a session in which nothing has happened. */
export function createSessionFollower(): SessionFollower {
  const over = new RecentIds(DEFAULT_MAX_FOLLOWED_PROMPTS);
  let state = INITIAL_SESSION_STATE;
  const remember = (before: SessionState, event: SessionEvent) => {
    if (!('message' in event)) return;
    const { type, command_uuid: command, state: stage } = event.message;
    if (type === 'command_lifecycle') {
      if (TAKEN.includes(String(stage))) over.add(String(command));
    } else {
      // Also those that others have said.
      if (state.results > before.results) for (const uuid of state.last?.prompts ?? []) over.add(uuid);
      if (state.prompts === before.prompts) return;
      const open = new Set(state.prompts);
      for (const uuid of before.prompts) if (!open.has(uuid)) over.add(uuid);
    }
  };
  return {
    get state() {
      return state;
    },
    isOver: (uuid) => over.has(uuid),
    track(event) {
      if ('prompt' in event && over.has(event.prompt)) return state;
      const before = state;
      state = trackSession(before, event);
      remember(before, event);
      return state;
    },
  };
}

/** Whether the last result has told of this error: an executable that ends its last turn with an error leaves with 1. */
export function isToldByResult(error: unknown, { last }: SessionState): boolean {
  return last?.result['is_error'] === true && TransportError.is(error) && error.status === 1;
}

/** How many prompts have no result and get none, where the agent ends now. */
export function promptsLeft({ prompts, results, last }: SessionState): number {
  // An agent whose results name no prompts may have answered several with one.
  return results === 0 || last?.result['user_message_uuid'] !== undefined ? prompts.length : 0;
}
