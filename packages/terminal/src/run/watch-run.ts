import { setTimer } from '@proto/core/internal';
import type { RunEnd } from '../process/exit-code.ts';
import { onInterrupts, type SignalSource, type Stops } from '../process/signals.ts';

/** What may stop a run. */
export interface RunLimits {
  readonly signals: SignalSource;
  /** How long the run may take, in milliseconds. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** How long the agent may say nothing, in milliseconds. Default: no limit. */
  readonly idleTimeoutMs?: number | undefined;
}

/** Stops one run when its limits say so. */
export interface RunWatch {
  /** Why the run was stopped. The first reason counts. */
  readonly stopped: RunEnd['stopped'];
  /** Calls a function while the agent waits. That time does not count as silence of the agent. */
  pausing<T>(act: () => T | Promise<T>): Promise<T>;
  /** Tells that the run is over. */
  leave(): void;
}

/** Starts to watch signals, the time of the run, and the silence of the agent. */
export function watchRun({ signals, timeoutMs, idleTimeoutMs }: RunLimits, stops: Stops): RunWatch {
  let stopped: RunEnd['stopped'];
  const because = (reason: NonNullable<RunEnd['stopped']>, stop: () => void) => () => {
    stopped ??= reason;
    stop();
  };
  const after = (ms: number | undefined, act: () => void) => (ms === undefined ? undefined : setTimer(act, ms));
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
    async pausing(act) {
      busy++;
      silence?.clear();
      try {
        return await act();
      } finally {
        busy--;
        if (busy === 0 && !isOver) silence = after(idleTimeoutMs, onSilence);
      }
    },
    leave() {
      isOver = true;
      timer?.clear();
      silence?.clear();
      leave();
    },
  };
}
