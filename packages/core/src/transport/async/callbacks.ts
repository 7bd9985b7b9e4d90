/** Calls back. What is thrown there is theirs to fix, and no reason to take the link down. */
export function callBack(back: () => void): void {
  try {
    back();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** What to do when one signal aborts: the one listener on it. */
class Acts extends Set<() => void> {
  handleEvent(): void {
    for (const act of this) act();
  }
}

const actsOf = /* @__PURE__ */ new WeakMap<AbortSignal, Acts>();

/**
 * Calls `act` once if the signal aborts; gives how to leave that, which is due when the operation is over. However many operations
 * a signal has, it gets one listener: Node warns of a leak at the eleventh.
 */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  const acts = actsOf.get(signal) ?? new Acts();
  actsOf.set(signal, acts);
  if (acts.size === 0) signal.addEventListener('abort', acts);
  acts.add(act);
  return () => {
    acts.delete(act);
    // A signal made of others stays in memory for as long as it is listened to.
    if (acts.size === 0) signal.removeEventListener('abort', acts);
  };
}
