/** Lets what must not run side by side through, one at a time and in order. */
export interface Lane {
  /** Fulfils when it is its turn, with the call that lets the next one through. */
  enter(): Promise<() => void>;
}

/** Makes an empty lane. */
export function createLane(): Lane {
  let last = Promise.resolve();
  return {
    enter() {
      const before = last;
      let leave = () => {};
      last = new Promise((resolve) => (leave = resolve));
      return before.then(() => leave);
    },
  };
}
