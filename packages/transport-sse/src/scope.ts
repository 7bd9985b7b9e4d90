// A `fetch` may listen to the signal of a request until that is collected, and Node warns of more than ten who listen to one. A run makes two
// requests where a credential is renewed, and listens itself while it waits.
const MAX_RUNS = 4;

/** Runs what opens something, with a signal that aborts with the outer one and when that run fails: it is released. */
export class Scope {
  readonly #outer: AbortSignal;
  // Together they listen to the outer signal once, however many runs there are at a time.
  readonly #linked = new Set<AbortController>();
  // Whose runs went well: making one takes as long as half of all else about a request.
  readonly #spare: { readonly controller: AbortController; runs: number }[] = [];

  constructor(outer: AbortSignal) {
    this.#outer = outer;
  }

  async run<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const link = this.#spare.pop() ?? { controller: this.#link(), runs: 0 };
    const { controller } = link;
    try {
      const result = await run(controller.signal);
      if (++link.runs < MAX_RUNS) this.#spare.push(link);
      else this.#release(controller);
      return result;
    } catch (error) {
      this.#release(controller, error);
      throw error;
    }
  }

  #link(): AbortController {
    const controller = new AbortController();
    if (this.#outer.aborted) {
      controller.abort(this.#outer.reason);
      return controller;
    }
    if (this.#linked.size === 0) this.#outer.addEventListener('abort', this.#abortAll);
    this.#linked.add(controller);
    return controller;
  }

  #release(controller: AbortController, reason?: unknown): void {
    if (this.#linked.delete(controller) && this.#linked.size === 0) {
      this.#outer.removeEventListener('abort', this.#abortAll);
    }
    controller.abort(reason);
  }

  readonly #abortAll = () => {
    for (const controller of this.#linked) controller.abort(this.#outer.reason);
    this.#linked.clear();
  };
}
