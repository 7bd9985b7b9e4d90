import { constants } from 'node:os';
import type { Bridge } from '@proto/remote/bridge';
import type { RelayEnd, TransportClose } from '@proto/core/transport';
import { EXIT, onInterrupts, type SignalSource } from '@proto/terminal/process';
import { processEndOf } from '@proto/transport-stdio';

/** How a bridge ended. */
export interface BridgeEnd extends RelayEnd {
  /** The signal that ended this process; undefined without a signal. */
  readonly signal: 'SIGINT' | 'SIGTERM' | undefined;
}

/** Waits for the end of a bridge. The first SIGINT interrupts the agent, the second one and SIGTERM end both sides, and the third SIGINT ends them at once. */
export async function bridgeEnd(joined: Bridge, signals: SignalSource): Promise<BridgeEnd> {
  let signal: BridgeEnd['signal'];
  const leave = onInterrupts(signals, {
    interrupt() {
      signal = 'SIGINT';
      joined.interrupt();
    },
    close() {
      signal ??= 'SIGTERM';
      joined.close();
    },
    kill: () => joined.abort(),
  });
  const end = await joined.closed;
  leave();
  return { ...end, signal };
}

/** Returns the exit code of a bridge: that of its child, where it has one; else that of the signal, or of the error. */
export function exitCodeOfBridge({ first, a, b, signal }: BridgeEnd): number {
  const code = codeOfChild(processEndOf(a) === undefined ? b : a);
  if (code !== undefined) return code;
  if (signal !== undefined) return codeOfSignal(signal) as number;
  const [earlier, later] = first === 'a' ? [a, b] : [b, a];
  return codeOfFailure(earlier) ?? codeOfFailure(later) ?? 0;
}

/** Returns the exit code of a child: 128 plus the number of a signal that ended it. Undefined for a transport without a child. */
export function codeOfChild(close: TransportClose): number | undefined {
  const child = processEndOf(close);
  return child?.exitCode ?? codeOfSignal(child?.signal);
}

const AUTH_STATUS = [401, 403, 4003];

/** Returns 3 for a refused token, 4 for a side that cannot be reached, 1 for any other error; undefined for a clean end. */
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
