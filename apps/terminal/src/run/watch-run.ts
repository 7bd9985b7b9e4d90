import { setTimer } from '@proto/core/network';
import type { RunEnd } from '../process/exit-code.ts';
import { onInterrupts, type SignalSource, type Stops } from '../process/signals.ts';

// A time limit includes the time that the agent needs to exit. The agent gets SIGTERM when a tenth of the time is left, but no earlier than 2 s before
// the limit.
const SHARE_OF_GRACE = 10;
const MAX_GRACE_MS = 2000;

/** What may stop a run. */
export interface RunLimits {
  readonly signals: SignalSource;
  /** How long the run may take, including the time that the agent needs to exit, in milliseconds. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** How long the agent may be silent, in milliseconds. Default: no limit. */
  readonly idleTimeoutMs?: number | undefined;
}

/** Stops one run when a limit is reached. */
export interface RunWatch {
  /** Why the run was stopped. If there are several reasons, the first reason counts. */
  readonly stopped: RunEnd['stopped'];
  /** Calls a function while the agent waits. The time of the call does not count as silence of the agent. */
  pausing<T>(act: () => T | Promise<T>): Promise<T>;
  /** Stops watching, because the run is over. */
  leave(): void;
}

/** The ways to stop a run, from gentle to immediate. */
export interface RunStops extends Stops {
  /** Sends SIGTERM to the agent, and SIGKILL after the time that `killGraceOf` returns. */
  terminate(): void;
}

/** How long an agent has between SIGTERM and SIGKILL, in milliseconds. Undefined for a run without time limits. */
export function killGraceOf({ timeoutMs, idleTimeoutMs }: Omit<RunLimits, 'signals'>): number | undefined {
  if (timeoutMs !== undefined) return Math.min(Math.ceil(timeoutMs / SHARE_OF_GRACE), MAX_GRACE_MS);
  return idleTimeoutMs === undefined ? undefined : MAX_GRACE_MS;
}

/** Starts to watch signals, the duration of the run, and how long the agent is silent. */
export function watchRun({ signals, timeoutMs, idleTimeoutMs }: RunLimits, stops: RunStops): RunWatch {
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
  const graceMs = killGraceOf({ timeoutMs }) ?? 0;
  const timer = after(timeoutMs && timeoutMs - graceMs, because('timeout', stops.terminate));
  const onSilence = because('idle', stops.terminate);
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
