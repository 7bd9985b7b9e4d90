import type { ShellCommand, ShellWord, WordBuilder } from './shell-word.ts';

/** All commands that were found in a line, and whether the line can run others. */
export interface LineReading {
  readonly commands: readonly ShellCommand[];
  /** Texts of commands inside backquotes, which are read as lines again. */
  readonly nested: readonly string[];
  /** False if the line may run a command that is not in `commands`. */
  readonly isSure: boolean;
}

/** What encloses a part of a line: parentheses, or double quotes. */
export type Context = '(' | '"';
/** An open part of a line, and what surrounds it. */
export interface Frame {
  readonly context: Context;
  readonly words: ShellWord[];
  readonly word: WordBuilder;
  readonly isExpansion: boolean;
}

// Patterns of pieces of a line. Each is matched at the position of the reader.
export const PLAIN = /[^\\'"$`\s;&|()<>#{}*?[~]+/y;
export const PLAIN_IN_QUOTES = /[^\\"$`]+/y;
export const NAME = /\$(?:\w+|[@*#?$!-])/y;
export const SIMPLE_EXPANSION = /\$\{#?[\w*#?$!-]+(?:[:%#/^,=+?-][^{}'"`$\\()<>;&|\n[\]@]*)?\}/y;
export const REDIRECTION = /<<<|<<-?|<>|<&|>>|>&|>\||[<>]/y;
export const DOLLAR_QUOTE = /\$'((?:[^'\\]|\\[^'])*)'/y;

/**
 * Whether a sign that can be expanded is only itself: a brace before a blank begins a list of commands, `{}` is a word, and `[` alone is a
 * program.
 */
export function standsForItself(sign: string, next: string, isInWord: boolean): boolean {
  return (sign === '{' && /[\s}]/.test(next)) || (sign === '[' && !isInWord && /[\s[]/.test(next));
}

/** Whether a parenthesis at this place is closed at once, as in `f()`. */
export function beginsFunction(line: string, at: number): boolean {
  const closing = /[ \t]*\)/y;
  closing.lastIndex = at;
  return closing.test(line);
}
