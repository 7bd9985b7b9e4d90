import type { CompleteReason } from './agent-event.ts';
import type { ExitInfo } from './output-parser.ts';

// 128 + the number of the signal, as shells and many programs say it.
const SIGNAL_CODES = new Set([129, 130, 137, 143]);
const SIGNALS = new Set(['SIGHUP', 'SIGINT', 'SIGKILL', 'SIGTERM']);

/** Whether somebody ended the program: the host, or a signal that is sent for that. */
export function isAborted({ exitCode, signal, aborted = false }: ExitInfo): boolean {
  return aborted || SIGNALS.has(signal ?? '') || SIGNAL_CODES.has(exitCode ?? 0);
}

/** How a run ended that said nothing of its end. */
export function exitReason(exit: ExitInfo, exitCodes: Readonly<Record<number, CompleteReason>> = {}): CompleteReason {
  if (exit.aborted) return 'aborted';
  const known = exit.exitCode === null ? undefined : exitCodes[exit.exitCode];
  return known ?? (isAborted(exit) ? 'aborted' : 'incomplete');
}

/** The same in words. */
export function exitMessage({ exitCode, signal, stderrTail = '' }: ExitInfo): string {
  if (stderrTail.trim() !== '') return stderrTail.trim();
  const how = signal !== null ? `signal ${signal}` : exitCode !== null ? `exit code ${exitCode}` : 'unknown exit code';
  return `the run ended without a result (${how})`;
}
