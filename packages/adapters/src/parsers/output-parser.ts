import type { CompleteReason, Outcome, ParsedEvent } from '../events/agent-event.ts';

/** How the program left. Both members are null where nobody knows. */
export interface ExitInfo {
  readonly exitCode: number | null;
  /** The signal that ended it, such as `SIGTERM`. */
  readonly signal: string | null;
  /** The host ended the run. */
  readonly aborted?: boolean;
  /** The last that the program wrote to stderr. */
  readonly stderrTail?: string;
}

/** What a parser gives: events, and how the run ended each time the backend says so; the last one counts. */
export type ParserOutput = ParsedEvent | { readonly type: 'outcome'; readonly outcome: Outcome };

/**
 * Understands one format of JSON lines. One instance per run, for it remembers what came. It may throw: the line is then
 * reported as malformed. Pairing tool calls with results, removing repeated errors and ending the run is done behind it.
 */
export interface OutputParser {
  /** What a record says, possibly nothing; null when it is no record of this format. */
  parseEvent(record: Readonly<Record<string, unknown>>): readonly ParserOutput[] | null;
  /** Called once, behind the last record, for formats that say at no other place how they ended. */
  end?(exit: ExitInfo): readonly ParserOutput[];
}

/** Understands text. One instance per run. */
export interface TextParser {
  /** What the next piece of the output says. Pieces are cut anywhere. */
  parseText(chunk: string): readonly ParserOutput[];
  /** The rest, and how the run ended. */
  end(exit: ExitInfo): readonly ParserOutput[];
}

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
