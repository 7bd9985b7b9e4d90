import type { CompleteReason, Outcome, ParsedEvent } from '../events/agent-event.ts';

/** How the program exited. `exitCode` and `signal` are both null if that is unknown. */
export interface ExitInfo {
  /** The exit code; null if a signal ended the program. */
  readonly exitCode: number | null;
  /** The signal that ended the program, such as `SIGTERM`. */
  readonly signal: string | null;
  /** Whether the host ended the run. */
  readonly aborted?: boolean;
  /** The end of what the program wrote to stderr. */
  readonly stderrTail?: string;
}

/** The output of a parser: events, and an outcome each time the backend says how its run ended. The last outcome counts. */
export type ParserOutput = ParsedEvent | { readonly type: 'outcome'; readonly outcome: Outcome };

/**
 * Parses one format of JSON lines. A parser remembers earlier lines, so each run has its own. If it throws, the line is reported as malformed.
 * Pairing tool calls with results, removing repeated errors and ending the run happens after the parser.
 */
export interface OutputParser {
  /** The events of a record, possibly none; null for an object that is not a record of this format. */
  parseEvent(record: Readonly<Record<string, unknown>>): readonly ParserOutput[] | null;
  /** Called once after the last record, for formats that do not say in a record how the run ended. */
  end?(exit: ExitInfo): readonly ParserOutput[];
}

/** Parses text output. Each run has its own parser. */
export interface TextParser {
  /** The events of the next piece of output. Pieces are cut anywhere. */
  parseText(chunk: string): readonly ParserOutput[];
  /** The events of the rest, and how the run ended. */
  end(exit: ExitInfo): readonly ParserOutput[];
}

// Exit codes of shells and many programs after a signal: 128 + its number.
const SIGNAL_CODES = new Set([129, 130, 137, 143]);
const SIGNALS = new Set(['SIGHUP', 'SIGINT', 'SIGKILL', 'SIGTERM']);

/** Whether the host or a signal such as SIGTERM ended the program. */
export function isAborted({ exitCode, signal, aborted = false }: ExitInfo): boolean {
  return aborted || SIGNALS.has(signal ?? '') || SIGNAL_CODES.has(exitCode ?? 0);
}

/** How a run ended whose backend does not say how it ended. */
export function exitReason(exit: ExitInfo, exitCodes: Readonly<Record<number, CompleteReason>> = {}): CompleteReason {
  if (exit.aborted) return 'aborted';
  const known = exit.exitCode === null ? undefined : exitCodes[exit.exitCode];
  return known ?? (isAborted(exit) ? 'aborted' : 'incomplete');
}

/** Describes the exit of a program in words. */
export function exitMessage({ exitCode, signal, stderrTail = '' }: ExitInfo): string {
  if (stderrTail.trim() !== '') return stderrTail.trim();
  const how = signal !== null ? `signal ${signal}` : exitCode !== null ? `exit code ${exitCode}` : 'unknown exit code';
  return `the run ended without a result (${how})`;
}
