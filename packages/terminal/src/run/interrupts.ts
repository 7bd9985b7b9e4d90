import { onSignals, type SignalSource } from './signals.ts';

/** How a running session is stopped, from gently to at once. */
export interface Stops {
  /** Ends the turn; the session goes on. */
  interrupt(): void;
  close(): void;
  kill(): void;
}

/** SIGINT once interrupts, twice closes, three times kills; SIGTERM closes. Gives how to leave them alone again. */
export function onInterrupts(source: SignalSource, stops: Stops): () => void {
  let times = 0;
  return onSignals(source, {
    SIGINT() {
      times++;
      if (times === 1) stops.interrupt();
      else if (times === 2) stops.close();
      else stops.kill();
    },
    SIGTERM: () => stops.close(),
  });
}
