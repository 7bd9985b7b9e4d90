import type { CompleteReason, Outcome, ParsedEvent } from '../events/agent-event.ts';

/** How the program exited. If this is unknown, both `exitCode` and `signal` are `null`. */
export interface ExitInfo {
  /** The exit code. `null` if a signal ended the program. */
  readonly exitCode: number | null;
  /** The signal that ended the program, such as `SIGTERM`. */
  readonly signal: string | null;
  /** Whether the host aborted the run. */
  readonly aborted?: boolean;
  /** The last part of the program's stderr output. */
  readonly stderrTail?: string;
}

/** The output of a parser: events, and an outcome each time the backend reports how its run ended. The last outcome is used. */
export type ParserOutput = ParsedEvent | { readonly type: 'outcome'; readonly outcome: Outcome };

/**
 * Parses one format of JSON lines. A parser remembers earlier lines, so each run needs its own parser. If the parser throws, the line is reported as
 * malformed. A parser need not pair tool calls with results, remove repeated errors or end the run, because all this is done after parsing.
 */
export interface OutputParser {
  /** Returns the events for a record, possibly none. Returns `null` for an object that is not a record of this format. */
  parseEvent(record: Readonly<Record<string, unknown>>): readonly ParserOutput[] | null;
  /** Called once after the last record, for formats in which no record says how the run ended. */
  end?(exit: ExitInfo): readonly ParserOutput[];
}

/** Parses text output. Each run needs its own parser. */
export interface TextParser {
  /** Returns the events for the next piece of output. Pieces may be split at any position. */
  parseText(chunk: string): readonly ParserOutput[];
  /** Returns the events for the remaining output, and how the run ended. */
  end(exit: ExitInfo): readonly ParserOutput[];
}

// After a signal, shells and many programs exit with 128 plus the number of the signal.
const SIGNAL_CODES = new Set([129, 130, 137, 143]);
const SIGNALS = new Set(['SIGHUP', 'SIGINT', 'SIGKILL', 'SIGTERM']);

export function isAborted({ exitCode, signal, aborted = false }: ExitInfo): boolean {
  return aborted || SIGNALS.has(signal ?? '') || SIGNAL_CODES.has(exitCode ?? 0);
}

/** Returns how a run ended, for a backend that does not report this itself. */
export function exitReason(exit: ExitInfo, exitCodes: Readonly<Record<number, CompleteReason>> = {}): CompleteReason {
  if (exit.aborted) return 'aborted';
  const known = exit.exitCode === null ? undefined : exitCodes[exit.exitCode];
  return known ?? (isAborted(exit) ? 'aborted' : 'incomplete');
}

export function exitMessage({ exitCode, signal, stderrTail = '' }: ExitInfo): string {
  if (stderrTail.trim() !== '') return stderrTail.trim();
  const how = signal !== null ? `signal ${signal}` : exitCode !== null ? `exit code ${exitCode}` : 'unknown exit code';
  return `the run ended without a result (${how})`;
}
