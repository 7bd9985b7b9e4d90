import { onAbort } from '@proto/core/internal';

// A `fetch` may listen to the signal of its request until the request is garbage collected, and Node warns of more than ten listeners on one
// signal. A run makes two requests where a credential is renewed, and has a listener of its own while it waits.
const MAX_RUNS = 4;

/** Gives each run a signal that aborts together with the outer signal, and when the run fails, so that a failed run releases what it opened. */
export class Scope {
  readonly #outer: AbortSignal;
  // Controllers whose runs succeeded, for the next runs. Creating a controller would add half to the CPU time of a request.
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
  // The listener on the outer signal is removed when this controller aborts.
  else controller.signal.addEventListener('abort', onAbort(outer, abort));
  return controller;
}
