import { EXIT } from '../run/exit-code.ts';
import { onSignals, type SignalSource } from '../run/signals.ts';

/** What signals make of a client of a session. */
export interface StopSignals {
  /** Ends the turn that it waits for. False where it waits for none, or has tried that already. */
  interrupt(): boolean;
  /** Leaves the session, which goes on. */
  leave(exitCode: number): void;
  /** Leaves without waiting for anything. */
  abort(): void;
}

/** Ctrl-C ends a turn, else it leaves; SIGTERM leaves; once more does so at once. Gives how to leave the signals alone again. */
export function onStopSignals(source: SignalSource, { interrupt, leave, abort }: StopSignals): () => void {
  let isLeaving = false;
  const stop = (exitCode: number) => {
    if (isLeaving) return abort();
    isLeaving = true;
    leave(exitCode);
  };
  return onSignals(source, {
    SIGINT() {
      if (isLeaving || !interrupt()) stop(EXIT.interrupted);
    },
    SIGTERM: () => stop(EXIT.terminated),
  });
}
