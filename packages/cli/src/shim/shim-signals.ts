import { onSignals, type Signal, type SignalSource } from '../signals.ts';

/** The exit codes of published agents. */
const CODES = { SIGINT: 0, SIGHUP: 129, SIGTERM: 143 } as const;

/** What signals make of a shim. */
export interface ShimSignals {
  /** Leaves, and stops what runs elsewhere. */
  end(exitCode: number): void;
  /** Ends the turn that is waited for, and leaves behind it. False where none is. */
  interrupt(): boolean;
}

/** As published agents do: at once on SIGTERM and SIGHUP, behind the interrupted turn on SIGINT. Gives how to leave them alone again. */
export function onShimSignals(source: SignalSource<Signal>, { end, interrupt }: ShimSignals): () => void {
  let isInterrupted = false;
  return onSignals(source, {
    SIGTERM: () => end(CODES.SIGTERM),
    SIGHUP: () => end(CODES.SIGHUP),
    SIGINT() {
      if (isInterrupted || !interrupt()) end(CODES.SIGINT);
      else isInterrupted = true;
    },
  });
}
