import { type ExitInfo, isAborted, type ParserOutput, type TextParser } from './output-parser.ts';
import { TagScanner } from './tag-scanner.ts';
import { TerminalFilter } from './terminal.ts';

/** The limits of a text parser. */
export interface TextParserOptions {
  /** The maximum length of a tag with its payload, in bytes. A longer tag is treated as text. Default 1 MiB. */
  readonly maxTagBytes?: number;
}

/**
 * Creates a parser for output that is meant for people. The parser yields the text without terminal escapes, and the `<event>` tags in the text. Only
 * the exit code shows how the run ended.
 */
export function createTextParser({ maxTagBytes }: TextParserOptions = {}): TextParser {
  const terminal = new TerminalFilter();
  const tags = new TagScanner(maxTagBytes);
  return {
    parseText: (chunk) => tags.push(terminal.push(chunk)),
    end: (exit) => [...tags.push(terminal.end()), ...tags.end(), ...outcome(exit)],
  };
}

function outcome(exit: ExitInfo): ParserOutput[] {
  if (exit.exitCode === null || isAborted(exit)) return [];
  return [{ type: 'outcome', outcome: { reason: exit.exitCode === 0 ? 'success' : 'error' } }];
}
