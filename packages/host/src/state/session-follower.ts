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
 * Computes the state of a session from its events. A follower remembers the last 10 000 prompts that are over. If such a prompt is sent again, the
 * agent neither runs nor reports it, so the state does not change.
 */
export interface SessionFollower {
  /** The state after the last event. */
  readonly state: SessionState;
  /** The cost and the tokens that the results have reported. */
  readonly usage: SessionUsage;
  /** The tool calls and tool results that arrived, and which results are missing or superfluous. */
  readonly report: StreamReport;
  /** Whether a prompt is over, which means that the agent will not run it again. */
  isOver(uuid: string): boolean;
  /** Processes an event and returns the state after the event, or the same object if nothing changed. */
  track(event: SessionEvent): SessionState;
  /** Ends the stream of messages. Missing results are then listed as issues in `report`. */
  end(): void;
}

/** Creates a follower for a session in which nothing has happened yet. */
export function createSessionFollower(): SessionFollower {
  return new FollowedSession();
}

/** Also lists the prompts that ended with the last message. */
export class FollowedSession implements SessionFollower {
  state: SessionState = INITIAL_SESSION_STATE;
  usage: SessionUsage = INITIAL_USAGE;
  /** The prompts that ended with the last message. */
  ended: readonly string[] = [];
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

  /** How many prompts would be left without a result if the agent ended now. */
  get promptsLeft(): number {
    const { prompts, results, last } = this.state;
    // If an agent's results do not name prompts, one result may answer several prompts.
    return results === 0 || last?.result['user_message_uuid'] !== undefined ? prompts.length : 0;
  }

  /** An exit code of 1 only repeats that the last turn ended with an error, which the last result has already reported. */
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
  // The prompts that a result names are over, including prompts from other hosts and prompts that exceed the maximum that the state follows.
  const named = results > before.results ? (last?.prompts ?? NO_PROMPTS) : NO_PROMPTS;
  if (prompts === before.prompts) return named;
  const open = new Set(prompts);
  const gone = before.prompts.filter((uuid) => !open.has(uuid));
  return named.length === 0 ? gone : [...gone, ...named];
}
