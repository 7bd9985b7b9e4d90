import type { WireMessage } from '@proto/core/framing';

/** The progress of an agent, counted in messages that occur in every run of a session. Other messages, such as `keep_alive`, are not counted. */
export interface Progress {
  readonly results: number;
  /** Undefined if the agent does not report its state. */
  readonly idles: number | undefined;
  readonly answers: number;
  /** The number of conversation messages and questions since the last result. */
  readonly sinceResult: number;
}

const CONVERSATION = new Set(['assistant', 'user', 'stream_event', 'control_request']);

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

/** Whether a live agent has already finished the turn that contains a given point on the tape, so that no more messages of this turn will arrive. */
export function isBeyond(live: Progress, place: Progress): boolean {
  return live.results > place.results;
}

export function hasReached(live: Progress, place: Progress): boolean {
  if (live.answers < place.answers) return false;
  if (isBeyond(live, place)) return true;
  const isIdle = live.idles === undefined || live.idles >= (place.idles ?? 0);
  return live.results === place.results && isIdle && live.sinceResult >= place.sinceResult;
}
