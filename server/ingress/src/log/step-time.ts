/** How long one step of an expiry may take, in milliseconds: other clients wait during that time. */
const MAX_STEP_MS = 1;

/** Measures the steps of an expiry. A limit on the number of streams alone would be right only for one machine and one size of stream. */
export class StepTime {
  readonly #monotonic: () => number;
  #until = 0;

  /** @param monotonic the clock, in milliseconds since any fixed moment. */
  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  begin(): void {
    this.#until = this.#monotonic() + MAX_STEP_MS;
  }

  get isOver(): boolean {
    return this.#monotonic() >= this.#until;
  }
}
