import type { Ending } from './ending.ts';
import { SIGNAL_CODES } from './exit-code.ts';

/** The source of signals: the process, or an emitter in a test. */
export interface SignalSource {
  /** Adds a listener for a signal. */
  on(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown;
  /** Removes a listener that was added with `on`. */
  off(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown;
}

/** The session that signals interrupt or abort. */
export interface SignalTarget {
  /** Interrupts the running turn and takes no more prompts. */
  interrupt(): void;
  /** Drops the session at once. Nothing more is written. */
  abort(): void;
}

/**
 * Ends the process on signals as published agents do: at once, with the code of the signal, on SIGTERM and SIGHUP; with 0 after the result of
 * the interrupted turn on SIGINT; at once on a second SIGINT. Returns a function that stops listening.
 */
export function handleSignals(source: SignalSource, target: SignalTarget, ending: Ending): () => void {
  const end = (code: number) => {
    target.abort();
    void ending.end({ code, reason: 'signal' });
  };
  const listeners = {
    SIGTERM: () => end(SIGNAL_CODES.SIGTERM),
    SIGHUP: () => end(SIGNAL_CODES.SIGHUP),
    SIGINT() {
      if (ending.why !== undefined) return end(SIGNAL_CODES.SIGINT);
      ending.decide({ code: SIGNAL_CODES.SIGINT, reason: 'signal' });
      target.interrupt();
    },
  };
  const names = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;
  for (const name of names) source.on(name, listeners[name]);
  return () => {
    for (const name of names) source.off(name, listeners[name]);
  };
}
