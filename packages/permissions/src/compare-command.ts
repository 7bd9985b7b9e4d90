import { foldCase } from './paths.ts';
import { textGlob } from './glob.ts';
import { findCommands, type FoundCommand } from './shell/found-commands.ts';
import { type PlainCommand, readPlainLine } from './shell/plain-line.ts';
import { isWrapper, programOf } from './shell/programs.ts';

/** The result of comparing a rule with a call: the rule matches, the rule does not match, or the call contains too little information. */
export type Comparison = 'matches' | 'differs' | 'undecided';

const MAX_PIECES = 4096;
// The same line is compared with each rule, so the result for the latest line is cached.
const foundIn = cacheNewest(findIn);
const plainIn = cacheNewest(readPlainLine);

interface FoundLine {
  readonly commands: readonly FoundCommand[];
  readonly isSure: boolean;
}

/** The rule matches if the line may run a command that begins like the pattern. */
export function compareCommandWidely(pattern: string, line: string): Comparison {
  const { commands, isSure } = foundIn(line);
  const matches = patternsOf(pattern).map(commandGlob);
  if (commands.some(({ text }) => matches.some((each) => each.matches(text)))) return 'matches';
  if (!isSure) return 'undecided';
  const isOpen = ({ text, known }: FoundCommand) => text !== known && matches.some((each) => each.mayContinue(known));
  return commands.some(isOpen) ? 'undecided' : 'differs';
}

function cacheNewest<T>(read: (line: string) => T): (line: string) => T {
  let newest: { readonly line: string; readonly value: T } | undefined;
  return (line) => {
    if (newest?.line !== line) newest = { line, value: read(line) };
    return newest.value;
  };
}

function findIn(line: string): FoundLine {
  const { commands, isSure } = findCommands(line);
  const folded = commands.map(({ text, known }) => ({
    text: foldCase(singleBlanks(text)),
    known: foldCase(singleBlanks(known)),
  }));
  // The unparsed pieces are compared too, for patterns that contain quotes.
  const pieces = [...new Set([line, ...line.split(/[;&|<>`$(){}\n]/, MAX_PIECES)])].map((text) =>
    foldCase(singleBlanks(text).trim()),
  );
  return { commands: [...folded, ...pieces.map((text) => ({ text, known: text }))], isSure };
}

function singleBlanks(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** Returns a pattern in three forms: as given, without quotes, and with the program's name instead of its path. */
function patternsOf(pattern: string): readonly string[] {
  const given = foldCase(singleBlanks(pattern).trim());
  const bare = given.replace(/['"\\]/g, '');
  return [...new Set([given, bare, programOf(bare)])];
}

interface CommandGlob {
  matches(command: string): boolean;
  mayContinue(beginning: string): boolean;
}

/**
 * `git log` matches only this exact command. `git log *` and `git log:*` match the command with any arguments. At other places in a pattern, `*`
 * matches any text.
 */
function commandGlob(pattern: string): CommandGlob {
  const prefix = /^(.*?)(?::| )\*$/s.exec(pattern)?.[1];
  const globs = prefix === undefined ? [textGlob(pattern)] : [textGlob(prefix), textGlob(`${prefix} *`)];
  const head = /^[^*]*/.exec(prefix ?? pattern)?.[0] ?? '';
  return {
    matches: (command) => command === pattern || globs.some((glob) => glob(command)),
    mayContinue: (beginning) => beginning.startsWith(head) || head.startsWith(beginning),
  };
}

/** The line must be identical to a pattern, or must be a plain line in which each command matches one of the patterns. */
export function permitsLine(patterns: readonly string[], line: string): boolean {
  const given = line.trim();
  if (patterns.includes(given)) return true;
  const globs = patterns.map((pattern) => ({ pattern, glob: commandGlob(pattern) }));
  return plainIn(given)?.every((command) => permitsCommand(globs, command)) === true;
}

function permitsCommand(
  globs: readonly { readonly pattern: string; readonly glob: CommandGlob }[],
  { text, words }: PlainCommand,
): boolean {
  const plain = words.join(' ');
  return globs.some(({ pattern, glob }) => {
    if (text === pattern) return true;
    // A pattern that names only a program such as `env` must not allow the program that `env` runs.
    if (/[*]/.test(pattern) && runsOther(words, pattern)) return false;
    return glob.matches(text) && (/['"\\]/.test(pattern) || glob.matches(plain));
  });
}

/** Whether a command runs another command that the pattern does not name before its first wildcard. */
function runsOther(words: readonly string[], pattern: string): boolean {
  if (!isWrapper(words[0] ?? '')) return false;
  const head = /^[^*]*/.exec(pattern)?.[0].replace(/[: ]+$/, '') ?? '';
  return !head.includes(' ');
}
