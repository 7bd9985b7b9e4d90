/** Calls a callback of the application. If the callback throws, its error becomes an uncaught error of the application, and the link does not end. */
export function callBack(back: () => void): void {
  try {
    back();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** This set is the only listener on the signal. */
class Acts extends Set<() => void> {
  handleEvent(): void {
    for (const act of this) act();
  }
}

const actsOf = /* @__PURE__ */ new WeakMap<AbortSignal, Acts>();

/**
 * Calls `act` once if the signal aborts. Returns a function that stops waiting. Call this function when the operation has ended. Each signal has one
 * listener for all operations, because Node warns of a leak at the eleventh listener.
 */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  const acts = actsOf.get(signal) ?? new Acts();
  actsOf.set(signal, acts);
  if (acts.size === 0) signal.addEventListener('abort', acts);
  acts.add(act);
  return () => {
    acts.delete(act);
    // A signal of `AbortSignal.any` stays in memory for as long as it has a listener.
    if (acts.size === 0) signal.removeEventListener('abort', acts);
  };
}
