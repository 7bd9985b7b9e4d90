import { constants } from 'node:os';
import type { RelayEnd, TransportClose } from '@proto/core/transport';
import { processEndOf } from '@proto/transport-stdio';

/** What ended a bridge before its sides ended: a call to `interrupt` or `close`. */
export type StoppedBy = 'interrupt' | 'close';

/** The exit codes of a program that has no child process. The shell and the commands of this project use the same codes. */
export const EXIT = { ok: 0, failed: 1, auth: 3, unreachable: 4, interrupt: 130, close: 143 } as const;

/**
 * Returns the exit code of a bridge. If the bridge has a child, the result is the child's exit code. Otherwise, it is the code for the call that
 * stopped the bridge, or for the error of the bridge.
 */
export function exitCodeOfBridge({ first, a, b }: RelayEnd, stoppedBy: StoppedBy | undefined): number {
  const code = codeOfChild(processEndOf(a) === undefined ? b : a);
  if (code !== undefined) return code;
  if (stoppedBy !== undefined) return EXIT[stoppedBy];
  const [earlier, later] = first === 'a' ? [a, b] : [b, a];
  return codeOfFailure(earlier) ?? codeOfFailure(later) ?? EXIT.ok;
}

/** Returns the exit code of a child: 128 plus the signal number if a signal ended it. Undefined for a transport without a child. */
export function codeOfChild(close: TransportClose): number | undefined {
  const child = processEndOf(close);
  return child?.exitCode ?? codeOfSignal(child?.signal);
}

const AUTH_STATUS = [401, 403, 4003];

function codeOfFailure({ error }: Pick<TransportClose, 'error'>): number | undefined {
  if (error === undefined) return undefined;
  if (AUTH_STATUS.includes(error.status ?? 0)) return EXIT.auth;
  const isRefused = ['agent-not-found', 'connect-failed', 'rejected', 'timeout'].includes(error.code);
  return isRefused ? EXIT.unreachable : EXIT.failed;
}

function codeOfSignal(signal: string | null | undefined): number | undefined {
  const number = constants.signals[signal as NodeJS.Signals];
  return number === undefined ? undefined : 128 + number;
}
