import type { Ending } from './ending.ts';
import { SIGNAL_CODES } from './exit-code.ts';

/** The source of signals: the process, or an emitter in a test. */
export interface SignalSource {
  /** Adds a listener for a signal. */
  on(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown;
  /** Removes a listener that was added with `on`. */
  off(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown;
}

export interface SignalTarget {
  /** Interrupts the running turn, and accepts no more prompts. */
  interrupt(): void;
  /** Nothing more is written. */
  abort(): void;
}

/**
 * Ends the process on signals, like published agents. On SIGTERM and SIGHUP, the process exits immediately with the signal's exit code. On SIGINT,
 * the process exits with 0 after the result of the interrupted turn. On a second SIGINT, it exits immediately. Returns a function that stops
 * listening.
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
