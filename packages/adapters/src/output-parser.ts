import type { Outcome, ParsedEvent } from './agent-event.ts';

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
