interface Listener {
  readonly acts: Set<() => void>;
  readonly onAbort: () => void;
}

/**
 * What to do when a signal aborts, for any number of operations under one signal, with one listener each: Node warns of a leak at
 * the eleventh listener on a signal.
 */
export class AbortListeners {
  readonly #listeners = new Map<AbortSignal, Listener>();

  /** Calls `act` once if the signal aborts; gives how to leave that, which is due when the operation is over. */
  add(signal: AbortSignal, act: () => void): () => void {
    const listener = this.#listeners.get(signal) ?? this.#listen(signal);
    listener.acts.add(act);
    return () => {
      listener.acts.delete(act);
      if (listener.acts.size > 0) return;
      this.#listeners.delete(signal);
      signal.removeEventListener('abort', listener.onAbort);
    };
  }

  #listen(signal: AbortSignal): Listener {
    const acts = new Set<() => void>();
    const onAbort = () => {
      for (const act of acts) act();
    };
    const listener = { acts, onAbort };
    this.#listeners.set(signal, listener);
    signal.addEventListener('abort', onAbort);
    return listener;
  }
}
