// A `fetch` may listen to the signal of a request until that is collected, and platforms warn of many who listen to one.
const MAX_RUNS = 100;

/** Runs what opens something, with a signal that aborts with the outer one and when that run fails: it is released. */
export class Scope {
  readonly #outer: AbortSignal;
  // Whose runs went well: making one takes as long as half of all else about a request.
  readonly #spare: Link[] = [];

  constructor(outer: AbortSignal) {
    this.#outer = outer;
  }

  async run<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const link = this.#spare.pop() ?? linkTo(this.#outer);
    try {
      const result = await run(link.signal);
      if (++link.runs < MAX_RUNS) this.#spare.push(link);
      else link.abort();
      return result;
    } catch (error) {
      link.abort(error);
      throw error;
    }
  }
}

interface Link {
  readonly signal: AbortSignal;
  readonly abort: (reason?: unknown) => void;
  runs: number;
}

function linkTo(outer: AbortSignal): Link {
  const controller = new AbortController();
  const onAbort = () => abort(outer.reason);
  const abort = (reason?: unknown) => {
    outer.removeEventListener('abort', onAbort);
    controller.abort(reason);
  };
  if (outer.aborted) onAbort();
  else outer.addEventListener('abort', onAbort);
  return { signal: controller.signal, abort, runs: 0 };
}
