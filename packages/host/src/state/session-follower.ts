import type { WireMessage } from '@proto/core/framing';
import { RecentIds } from '@proto/core/internal';
import { TransportError } from '@proto/core/transport';
import {
  DEFAULT_MAX_FOLLOWED_PROMPTS,
  INITIAL_SESSION_STATE,
  type SessionEvent,
  type SessionState,
  trackSession,
} from './session-tracker.ts';
import { INITIAL_STREAM_REPORT, reportEnd, reportMessage, type StreamReport } from './stream-report.ts';
import { INITIAL_USAGE, type SessionUsage, trackUsage } from './usage.ts';

/**
 * Computes the state of a session from its events. A follower remembers the last 10 000 prompts that are over. An agent does not run such a
 * prompt again and does not report it, so sending it again does not change the state.
 */
export interface SessionFollower {
  /** The state after the last event. */
  readonly state: SessionState;
  /** The cost and the tokens that the results have reported. */
  readonly usage: SessionUsage;
  /** The tool calls and tool results that arrived, and which of them are missing or superfluous. */
  readonly report: StreamReport;
  /** Whether a prompt is over, so that the agent will not run it any more. */
  isOver(uuid: string): boolean;
  /** Takes an event and returns the state after the event: the same object if nothing changed. */
  track(event: SessionEvent): SessionState;
  /** Ends the stream of messages: missing results become issues of `report`. */
  end(): void;
}

/** Creates a follower for a session in which nothing has happened yet. */
export function createSessionFollower(): SessionFollower {
  return new FollowedSession();
}

/** The follower of a host session, which also needs the prompts that the last message has ended. */
export class FollowedSession implements SessionFollower {
  state: SessionState = INITIAL_SESSION_STATE;
  usage: SessionUsage = INITIAL_USAGE;
  /** The prompts that the last message has ended. */
  ended: readonly string[] = [];
  /** Called for each change of the state. */
  onChange: ((state: SessionState) => void) | undefined;
  #report: StreamReport = INITIAL_STREAM_REPORT;
  #over: RecentIds | undefined;
  #isEnded = false;

  get report(): StreamReport {
    return this.#isEnded ? reportEnd(this.#report) : this.#report;
  }

  isOver(uuid: string): boolean {
    return this.#over?.has(uuid) === true;
  }

  track(event: SessionEvent): SessionState {
    if ('prompt' in event && this.isOver(event.prompt)) return this.state;
    const before = this.state;
    this.state = trackSession(before, event);
    if ('message' in event) this.#onMessage(event.message, before);
    if (this.state !== before) this.onChange?.(this.state);
    return this.state;
  }

  end(): void {
    this.#isEnded = true;
  }

  /** How many prompts have no result if the agent ends now. */
  get promptsLeft(): number {
    const { prompts, results, last } = this.state;
    // An agent whose results name no prompts may have answered several with one result.
    return results === 0 || last?.result['user_message_uuid'] !== undefined ? prompts.length : 0;
  }

  /** Whether the last result has reported an error already: an executable whose last turn ends with an error exits with 1. */
  hasReported(error: unknown): boolean {
    return this.state.last?.result['is_error'] === true && TransportError.is(error) && error.status === 1;
  }

  #onMessage(message: WireMessage, before: SessionState): void {
    this.usage = trackUsage(this.usage, message);
    this.#report = reportMessage(this.#report, message);
    this.ended = endedSince(before, this.state);
    const { type, command_uuid: command, state: stage } = message;
    if (type === 'command_lifecycle') {
      if (TAKEN.includes(String(stage))) this.#remember(String(command));
    } else for (const uuid of this.ended) this.#remember(uuid);
  }

  #remember(uuid: string): void {
    this.#over ??= new RecentIds(DEFAULT_MAX_FOLLOWED_PROMPTS);
    this.#over.add(uuid);
  }
}

// Without `refused`: the host may send a refused prompt again.
const TAKEN = ['completed', 'cancelled', 'discarded'];
const NO_PROMPTS: readonly string[] = [];

function endedSince(before: SessionState, { prompts, results, last }: SessionState): readonly string[] {
  // The prompts that a result names are over, also those of other hosts and those beyond the number that the state follows.
  const named = results > before.results ? (last?.prompts ?? NO_PROMPTS) : NO_PROMPTS;
  if (prompts === before.prompts) return named;
  const open = new Set(prompts);
  const gone = before.prompts.filter((uuid) => !open.has(uuid));
  return named.length === 0 ? gone : [...gone, ...named];
}
