import type { ShellCommand, ShellWord, WordBuilder } from './shell-word.ts';

export interface LineReading {
  readonly commands: readonly ShellCommand[];
  /** Backquoted texts, which are parsed again as command lines. */
  readonly nested: readonly string[];
  /** False if the line may run a command that is not in `commands`. */
  readonly isSure: boolean;
}

/** The character that opens a part of a line: a parenthesis or a double quote. */
export type Context = '(' | '"';
/** An open part of a line, and what surrounds it. */
export interface Frame {
  readonly context: Context;
  readonly words: ShellWord[];
  readonly word: WordBuilder;
  readonly isExpansion: boolean;
}

// Patterns for the pieces of a line. Each pattern is matched at the reader's current position.
export const PLAIN = /[^\\'"$`\s;&|()<>#{}*?[~]+/y;
export const PLAIN_IN_QUOTES = /[^\\"$`]+/y;
export const NAME = /\$(?:\w+|[@*#?$!-])/y;
export const SIMPLE_EXPANSION = /\$\{#?[\w*#?$!-]+(?:[:%#/^,=+?-][^{}'"`$\\()<>;&|\n[\]@]*)?\}/y;
export const REDIRECTION = /<<<|<<-?|<>|<&|>>|>&|>\||[<>]/y;
export const DOLLAR_QUOTE = /\$'((?:[^'\\]|\\[^'])*)'/y;

/**
 * Whether a character that can start an expansion is literal at this position. A brace before a blank begins a command list, `{}` is a word, and `[`
 * alone is a program.
 */
export function standsForItself(sign: string, next: string, isInWord: boolean): boolean {
  return (sign === '{' && /[\s}]/.test(next)) || (sign === '[' && !isInWord && /[\s[]/.test(next));
}

/** Whether a parenthesis at this position is closed immediately, as in `f()`. */
export function beginsFunction(line: string, at: number): boolean {
  const closing = /[ \t]*\)/y;
  closing.lastIndex = at;
  return closing.test(line);
}
