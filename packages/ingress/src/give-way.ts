const { setImmediate: soon = (callback: () => void) => setTimeout(callback, 0) } = globalThis as {
  setImmediate?: (callback: () => void) => unknown;
};

/** Settles after everything that waits for the event loop has had its turn, so that long work does not hold up other clients. */
export function giveWay(): Promise<void> {
  return new Promise((resolve) => soon(resolve));
}
