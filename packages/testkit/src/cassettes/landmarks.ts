import type { WireMessage } from '@proto/core/framing';

/** The progress of an agent, counted in messages that every run of a session has. Hints and increments do not count. */
export interface Progress {
  /** The number of results so far. */
  readonly results: number;
  /** How often the agent has reported that it is idle; undefined for an agent that does not report its state. */
  readonly idles: number | undefined;
  /** The number of answers to requests of the host. */
  readonly answers: number;
  /** The number of messages of the conversation and of questions since the last result. */
  readonly sinceResult: number;
}

const CONVERSATION = new Set(['assistant', 'user', 'stream_event', 'control_request']);

/** Counts the messages of an agent. */
export class Landmarks {
  #progress: Progress = { results: 0, idles: undefined, answers: 0, sinceResult: 0 };

  get progress(): Progress {
    return this.#progress;
  }

  add({ type, subtype, state }: WireMessage): void {
    const { results, idles = 0, answers, sinceResult } = this.#progress;
    if (type === 'result') this.#progress = { ...this.#progress, results: results + 1, sinceResult: 0 };
    else if (type === 'control_response') this.#progress = { ...this.#progress, answers: answers + 1 };
    else if (CONVERSATION.has(type)) this.#progress = { ...this.#progress, sinceResult: sinceResult + 1 };
    else if (type === 'system' && subtype === 'session_state_changed') {
      this.#progress = { ...this.#progress, idles: state === 'idle' ? idles + 1 : idles };
    }
  }
}

/** Whether a live agent has finished the turn of a place on the tape, so that the rest of that turn does not arrive any more. */
export function isBeyond(live: Progress, place: Progress): boolean {
  return live.results > place.results;
}

/** Whether a live agent has made the progress that the recorded agent had at a place on the tape. */
export function hasReached(live: Progress, place: Progress): boolean {
  if (live.answers < place.answers) return false;
  if (isBeyond(live, place)) return true;
  const isIdle = live.idles === undefined || live.idles >= (place.idles ?? 0);
  return live.results === place.results && isIdle && live.sinceResult >= place.sinceResult;
}
