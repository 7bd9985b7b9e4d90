/** What asks a process to stop. */
export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** The signals of this process. A `process`, or something that emits them like one. */
export interface SignalSource<Heard extends Signal = 'SIGINT' | 'SIGTERM'> {
  on(signal: Heard, listener: () => void): unknown;
  off(signal: Heard, listener: () => void): unknown;
}

/** Listens to signals. Gives how to leave them alone again. */
export function onSignals<Heard extends Signal>(
  source: SignalSource<Heard>,
  listeners: Readonly<Record<Heard, () => void>>,
): () => void {
  const entries = Object.entries(listeners) as [Heard, () => void][];
  for (const [signal, listener] of entries) source.on(signal, listener);
  return () => entries.forEach(([signal, listener]) => source.off(signal, listener));
}
