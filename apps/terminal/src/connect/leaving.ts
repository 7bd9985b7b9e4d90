import type { Transport } from '@proto/core/transport';
import type { ConnectError } from '../errors.ts';
import { EXIT } from '../process/exit-code.ts';
import { onSignals, type SignalSource } from '../process/signals.ts';
import type { ConnectNotices } from './connect-notices.ts';

/** How a client leaves its session. The first exit code that is not 0 is used. */
export interface Leaving {
  readonly exitCode: number;
  /** Reports an error, and remembers its exit code. Does not leave the session. */
  fail(error: ConnectError): void;
  /** Leaves as soon as the server has accepted all the client's messages, or after 5 s at the latest. */
  leave(exitCode?: number): void;
  /** Leaves the session now. */
  abort(): void;
}

// How long the server may take to accept the client's last messages.
const LEAVE_MS = 5000;

/**
 * Creates the functions with which a client leaves its session. `viewer` returns the transport of the session. The session is opened after this call,
 * so `viewer` is called only when the client leaves.
 */
export function createLeaving(viewer: () => Transport, { error: report }: Pick<ConnectNotices, 'error'>): Leaving {
  let exitCode: number = EXIT.ok;
  return {
    get exitCode() {
      return exitCode;
    },
    fail(error) {
      exitCode ||= error.exitCode;
      report(error.report);
    },
    leave(code = EXIT.ok) {
      exitCode ||= code;
      void viewer().close();
      setTimeout(() => viewer().abort(), LEAVE_MS).unref();
    },
    abort: () => viewer().abort(),
  };
}

/** The effects of signals on a client of a session. */
export interface StopSignals {
  /** Ends the turn that the client is waiting for. Returns false if the client is not waiting for a turn or has already interrupted it. */
  interrupt(): boolean;
  /** Leaves the session, which continues on the server. */
  leave(exitCode: number): void;
  /** Leaves the session without waiting for any work in progress. */
  abort(): void;
}

/**
 * Listens to signals: Ctrl-C ends the turn that the client is waiting for, or leaves if the client is not waiting for a turn. SIGTERM leaves. A
 * further signal while the client is leaving makes the client leave immediately. Returns a function that stops listening.
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
