/** How a running session is stopped, from gently to at once. */
export interface Stops {
  /** Ends the turn; the session goes on. */
  interrupt(): void;
  close(): void;
  kill(): void;
}

/** The signals that stop this process. A `process`, or something that emits them like one. */
export interface SignalSource {
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

/** SIGINT once interrupts, twice closes, three times kills; SIGTERM closes. Gives how to leave them alone again. */
export function onInterrupts(source: SignalSource, stops: Stops): () => void {
  let times = 0;
  const onInterrupt = () => {
    times++;
    if (times === 1) stops.interrupt();
    else if (times === 2) stops.close();
    else stops.kill();
  };
  const onTerminate = () => stops.close();
  source.on('SIGINT', onInterrupt);
  source.on('SIGTERM', onTerminate);
  return () => {
    source.off('SIGINT', onInterrupt);
    source.off('SIGTERM', onTerminate);
  };
}
