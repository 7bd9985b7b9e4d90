import type { RunEnd } from './exit-code.ts';
import type { SignalSource } from './signals.ts';
import { onInterrupts, type Stops } from './interrupts.ts';

/** What may end a run from outside. */
export interface RunLimits {
  readonly signals: SignalSource;
  /** How long it may take, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** How long it may say nothing, in milliseconds. */
  readonly idleTimeoutMs?: number | undefined;
}

/** Watches over one run, and stops it. */
export interface RunWatch {
  /** Why it was stopped; the first reason counts. */
  readonly stopped: RunEnd['stopped'];
  /** Does something with what was heard. The time that takes is no silence of the agent's. */
  hearing<T>(act: () => T | Promise<T>): Promise<T>;
  /** The run is over. */
  leave(): void;
}

// A longer timer would fire at once.
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Begins to watch: signals of the user and the system, the clock, and the silence of the agent. */
export function watchRun({ signals, timeoutMs, idleTimeoutMs }: RunLimits, stops: Stops): RunWatch {
  let stopped: RunEnd['stopped'];
  const because = (reason: NonNullable<RunEnd['stopped']>, stop: () => void) => () => {
    stopped ??= reason;
    stop();
  };
  const after = (ms: number | undefined, act: () => void) =>
    ms === undefined ? undefined : setTimeout(act, Math.min(ms, MAX_TIMER_MS));
  const leave = onInterrupts(signals, {
    interrupt: because('interrupted', stops.interrupt),
    close: because('terminated', stops.close),
    kill: because('terminated', stops.kill),
  });
  const timer = after(timeoutMs, because('timeout', stops.close));
  const onSilence = because('idle', stops.close);
  let silence = after(idleTimeoutMs, onSilence);
  let busy = 0;
  let isOver = false;
  return {
    get stopped() {
      return stopped;
    },
    async hearing(act) {
      busy++;
      clearTimeout(silence);
      try {
        return await act();
      } finally {
        busy--;
        if (busy === 0 && !isOver) silence = after(idleTimeoutMs, onSilence);
      }
    },
    leave() {
      isOver = true;
      clearTimeout(timer);
      clearTimeout(silence);
      leave();
    },
  };
}
