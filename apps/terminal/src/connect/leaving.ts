import type { Transport } from '@proto/core/transport';
import type { ConnectError } from '../errors.ts';
import { EXIT } from '../process/exit-code.ts';
import { onSignals, type SignalSource } from '../process/signals.ts';
import type { ConnectNotices } from './connect-notices.ts';

/** How a client leaves its session, and with which exit code: the first that is not 0. */
export interface Leaving {
  readonly exitCode: number;
  /** Tells what went wrong, and keeps its exit code. Does not leave the session. */
  fail(error: ConnectError): void;
  /** Leaves after what the client has said was taken, within 5 s. */
  leave(exitCode?: number): void;
  /** Leaves now. */
  abort(): void;
}

// How long the server has to take what was said.
const LEAVE_MS = 5000;

/** Creates the end of a client. `viewer` gives the session when it is left, as the session does not exist yet. */
export function createLeaving(viewer: () => Transport, { error: tell }: Pick<ConnectNotices, 'error'>): Leaving {
  let exitCode: number = EXIT.ok;
  return {
    get exitCode() {
      return exitCode;
    },
    fail(error) {
      exitCode ||= error.exitCode;
      tell(error.report);
    },
    leave(code = EXIT.ok) {
      exitCode ||= code;
      void viewer().close();
      setTimeout(() => viewer().abort(), LEAVE_MS).unref();
    },
    abort: () => viewer().abort(),
  };
}

/** What signals do to a client of a session. */
export interface StopSignals {
  /** Ends the turn that the client waits for. Returns false if there is no such turn, or the client has tried that already. */
  interrupt(): boolean;
  /** Leaves the session, which goes on. */
  leave(exitCode: number): void;
  /** Leaves without waiting for anything. */
  abort(): void;
}

/**
 * Listens to signals: Ctrl-C ends the turn that the client waits for, and leaves where there is no such turn. SIGTERM leaves. A further signal leaves at
 * once. Returns a function that stops listening.
 */
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
