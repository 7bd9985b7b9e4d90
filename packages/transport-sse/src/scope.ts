import { onAbort } from '@proto/core/network';

// A `fetch` may listen to the signal of its request until the request is garbage collected, and Node prints a warning for more than ten listeners on
// one signal. A run makes two requests if a credential is renewed, and adds a listener while it waits.
const MAX_RUNS = 4;

/** Passes each run a signal that aborts with the outer signal, or when the run fails, so that a failed run releases its resources. */
export class Scope {
  readonly #outer: AbortSignal;
  // Controllers whose runs succeeded, kept for the next runs. Creating a new controller would increase the CPU time of a request by half.
  readonly #spare: LinkedController[] = [];

  constructor(outer: AbortSignal) {
    this.#outer = outer;
  }

  async run<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const link = this.#spare.pop() ?? linkTo(this.#outer);
    const { controller } = link;
    try {
      const result = await run(controller.signal);
      if (++link.runs < MAX_RUNS) this.#spare.push(link);
      // The controller is not aborted, because the error and event of an abort would cost more than the rest of this class.
      else link.unlink();
      return result;
    } catch (error) {
      controller.abort(error);
      throw error;
    }
  }
}

interface LinkedController {
  readonly controller: AbortController;
  readonly unlink: () => void;
  runs: number;
}

function linkTo(outer: AbortSignal): LinkedController {
  const controller = new AbortController();
  const abort = () => controller.abort(outer.reason);
  let unlink = () => {};
  if (outer.aborted) abort();
  else {
    unlink = onAbort(outer, abort);
    controller.signal.addEventListener('abort', unlink);
  }
  return { controller, unlink, runs: 0 };
}
