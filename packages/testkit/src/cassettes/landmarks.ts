import type { WireMessage } from '@proto/core/framing';

/** How far an agent is, in what every run of a session has in common. Times, increments of states and hints do not count. */
export interface Progress {
  /** The results so far. */
  readonly results: number;
  /** How often the agent has told that it is idle; undefined for an agent that does not tell what it is doing. */
  readonly idles: number | undefined;
  /** The answers to requests of the host. */
  readonly answers: number;
  /** The messages of the conversation and the questions since the last result. */
  readonly sinceResult: number;
}

const CONVERSATION = new Set(['assistant', 'user', 'stream_event', 'control_request']);

/** Counts what an agent says. */
export class Landmarks {
  #progress: Progress = { results: 0, idles: undefined, answers: 0, sinceResult: 0 };

  get progress(): Progress {
    return this.#progress;
  }

  hear({ type, subtype, state }: WireMessage): void {
    const { results, idles = 0, answers, sinceResult } = this.#progress;
    if (type === 'result') this.#progress = { ...this.#progress, results: results + 1, sinceResult: 0 };
    else if (type === 'control_response') this.#progress = { ...this.#progress, answers: answers + 1 };
    else if (CONVERSATION.has(type)) this.#progress = { ...this.#progress, sinceResult: sinceResult + 1 };
    else if (type === 'system' && subtype === 'session_state_changed') {
      this.#progress = { ...this.#progress, idles: state === 'idle' ? idles + 1 : idles };
    }
  }
}

/** Whether a live agent is beyond the turn of a place on the tape. What the tape has in that turn does not come any more. */
export function isBeyond(live: Progress, place: Progress): boolean {
  return live.results > place.results;
}

/** Whether a live agent is as far as it was at a place on the tape. */
export function hasReached(live: Progress, place: Progress): boolean {
  if (live.answers < place.answers) return false;
  if (isBeyond(live, place)) return true;
  const isIdle = live.idles === undefined || live.idles >= (place.idles ?? 0);
  return live.results === place.results && isIdle && live.sinceResult >= place.sinceResult;
}
