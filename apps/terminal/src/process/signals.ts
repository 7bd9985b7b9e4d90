/** A signal that asks a process to stop. */
export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** Where signals come from: `process`, or an emitter in a test. */
export interface SignalSource<Handled extends Signal = 'SIGINT' | 'SIGTERM'> {
  /** Adds a listener for a signal. */
  on(signal: Handled, listener: () => void): unknown;
  /** Removes a listener for a signal. */
  off(signal: Handled, listener: () => void): unknown;
}

/** Listens to signals. Returns a function that stops listening. */
export function onSignals<Handled extends Signal>(
  source: SignalSource<Handled>,
  listeners: Readonly<Record<Handled, () => void>>,
): () => void {
  const entries = Object.entries(listeners) as [Handled, () => void][];
  for (const [signal, listener] of entries) source.on(signal, listener);
  return () => entries.forEach(([signal, listener]) => source.off(signal, listener));
}

/** The ways to stop a running session, from gentle to immediate. */
export interface Stops {
  /** Ends the turn. The session continues. */
  interrupt(): void;
  /** Ends the session, and waits for the work in progress. */
  close(): void;
  /** Ends the session immediately. */
  kill(): void;
}

/**
 * Stops a session on signals: the first SIGINT interrupts, the second closes, the third kills, and SIGTERM closes. Returns a function that stops
 * listening.
 */
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

/** The first two signals that ask a process to stop. */
export interface StopSignals {
  /** Fulfils with the first signal, after which the process should finish its work in progress and end. Never rejects. */
  readonly first: Promise<'SIGINT' | 'SIGTERM'>;
  /** Fulfils with the second signal, after which the process should end immediately. Never rejects. */
  readonly second: Promise<'SIGINT' | 'SIGTERM'>;
  /** Stops listening to signals. */
  leave(): void;
}

/** Waits for signals that ask a process to stop, starting with this call. */
export function stopSignals(source: SignalSource): StopSignals {
  let count = 0;
  let onFirst: (signal: 'SIGINT' | 'SIGTERM') => void = () => {};
  let onSecond: (signal: 'SIGINT' | 'SIGTERM') => void = () => {};
  const first = new Promise<'SIGINT' | 'SIGTERM'>((resolve) => (onFirst = resolve));
  const second = new Promise<'SIGINT' | 'SIGTERM'>((resolve) => (onSecond = resolve));
  const onSignal = (signal: 'SIGINT' | 'SIGTERM') => (++count === 1 ? onFirst : onSecond)(signal);
  const leave = onSignals(source, { SIGINT: () => onSignal('SIGINT'), SIGTERM: () => onSignal('SIGTERM') });
  return { first, second, leave };
}
