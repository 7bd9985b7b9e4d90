import { onAbort } from '@proto/core/internal';

// A `fetch` may listen to the signal of a request until that is collected, and Node warns of more than ten who listen to one. A run makes two
// requests where a credential is renewed, and listens itself while it waits.
const MAX_RUNS = 4;

/** Runs what opens something, with a signal that aborts with the outer one and when that run fails: it is released. */
export class Scope {
  readonly #outer: AbortSignal;
  // Whose runs went well: making one takes as long as half of all else about a request.
  readonly #spare: { readonly controller: AbortController; runs: number }[] = [];

  constructor(outer: AbortSignal) {
    this.#outer = outer;
  }

  async run<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const link = this.#spare.pop() ?? { controller: linkedTo(this.#outer), runs: 0 };
    const { controller } = link;
    try {
      const result = await run(controller.signal);
      if (++link.runs < MAX_RUNS) this.#spare.push(link);
      else controller.abort();
      return result;
    } catch (error) {
      controller.abort(error);
      throw error;
    }
  }
}

function linkedTo(outer: AbortSignal): AbortController {
  const controller = new AbortController();
  const abort = () => controller.abort(outer.reason);
  if (outer.aborted) abort();
  // Until it aborts itself.
  else controller.signal.addEventListener('abort', onAbort(outer, abort));
  return controller;
}
