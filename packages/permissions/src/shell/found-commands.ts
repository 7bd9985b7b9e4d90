import { readLine } from './line-reader.ts';
import {
  isAssignment,
  isEvaluator,
  isInterpreterOfText,
  isReserved,
  isShell,
  isUnclear,
  isWrapper,
  programOf,
} from './programs.ts';
import type { ShellCommand, ShellWord } from './shell-word.ts';

/** A command that a line may run, as text in which single spaces separate the words. */
export interface FoundCommand {
  readonly text: string;
  /** The beginning of `text`, up to the first part that is replaced or added when the line runs. Without such a part, the whole text. */
  readonly known: string;
}

export interface FoundCommands {
  readonly commands: readonly FoundCommand[];
  /** False if the line may run a command that is not in `commands`. */
  readonly isSure: boolean;
}

const MAX_DEPTH = 6;
/** The maximum number of words in one command that are treated as the beginning of another command, as in `env -u A nice rm x`. */
const MAX_STARTS = 48;
const MAX_NESTED_CHARACTERS = 128 * 1024;
const MAX_TEXT_CHARACTERS = 256 * 1024;
const MAX_COMMANDS = 4096;

/**
 * Includes commands in substitutions, in compound commands, after programs that run other programs (`sudo`, `xargs`), and in texts that are run as
 * command lines (`sh -c`, `eval`). The result may also contain commands that do not run. If the line may run a command that is not found, `isSure`
 * is false.
 */
export function findCommands(line: string): FoundCommands {
  const finder = new CommandFinder();
  finder.readLine(line, 0);
  return { commands: finder.commands, isSure: finder.isSure };
}

class CommandFinder {
  readonly commands: FoundCommand[] = [];
  isSure = true;
  #nested = 0;
  #text = 0;
  #isFull = false;
  readonly #seen = new Set<string>();
  readonly #read = new Set<string>();

  readLine(line: string, depth: number): void {
    if (depth > 0) this.#nested += line.length;
    if (depth > MAX_DEPTH || this.#nested > MAX_NESTED_CHARACTERS) {
      this.isSure = false;
      return;
    }
    const { commands, nested, isSure } = readLine(line);
    if (!isSure) this.isSure = false;
    for (const command of commands) this.#addCommand(command, depth);
    for (const text of nested) this.readLine(text, depth + 1);
  }

  #addCommand(words: ShellCommand, depth: number): void {
    if (this.#isFull || this.#wasRead(words)) return;
    const start = startOf(words);
    // In quotes, a reserved word or an assignment is the name of a program, so both interpretations are used.
    if (start > 0) this.#add(words);
    this.#checkSetUp(words.slice(0, start));
    const program = words[start];
    if (program === undefined) return;
    const rest = words.slice(start);
    this.#add(rest);
    this.#addOptionless(rest);
    if (!program.isWhole || isUnclear(program.text)) this.isSure = false;
    if (!program.isWhole || isWrapper(program.text)) this.#addWrapped(rest, depth);
    if (isInterpreterOfText(rest)) this.isSure = false;
  }

  #wasRead(words: ShellCommand): boolean {
    const key = words
      .map(({ text, known, isWhole }) => (isWhole ? `${text}\0` : `${text}\0${known.length}\0`))
      .join('\0');
    if (this.#read.has(key)) return true;
    this.#read.add(key);
    if (this.#read.size > MAX_COMMANDS) this.#fill();
    return false;
  }

  #fill(): void {
    this.#isFull = true;
    this.isSure = false;
  }

  /** Variables such as `PATH` or `BASH_ENV` determine which programs run. */
  #checkSetUp(words: ShellCommand): void {
    for (const { text } of words) {
      if (/^(?:PATH|BASH_ENV|ENV|IFS|PS4|PROMPT_COMMAND|LD_\w+|DYLD_\w+|BASH_FUNC\w*)(?:\[|\+?=)/.test(text))
        this.isSure = false;
      // Arithmetic evaluates texts as expressions, even in an index.
      if (/^\w+\[[^\]]*\D/.test(text)) this.isSure = false;
    }
  }

  #add(words: ShellCommand): void {
    if (this.#isFull) return;
    const open = words.findIndex((word) => !word.isWhole);
    const text = words.map((word) => word.text).join(' ');
    const known =
      open === -1 ? text : [...words.slice(0, open).map((word) => word.text), words[open]?.known ?? ''].join(' ');
    const program = programOf(text);
    this.#push(text, known);
    if (program !== text) this.#push(program, known.length === text.length ? program : programOf(known));
  }

  #push(text: string, known: string): void {
    const key = `${known.length} ${text}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#text += text.length;
    this.commands.push({ text, known });
    if (this.#text <= MAX_TEXT_CHARACTERS && this.commands.length < MAX_COMMANDS) return;
    this.#fill();
  }

  /** Adds `git push` for `git -C folder push`, because options and their values can precede the subcommand. */
  #addOptionless(words: ShellCommand): void {
    let at = 1;
    for (let count = 0; !this.#isFull && words[at]?.text.startsWith('-') === true; count++) {
      if (count === MAX_STARTS) {
        this.isSure = false;
        return;
      }
      for (const next of [at + 1, at + 2]) {
        if (next < words.length) this.#add([words[0] as ShellWord, ...words.slice(next)]);
      }
      at += words[at + 1]?.text.startsWith('-') === false && words[at + 2]?.text.startsWith('-') === true ? 2 : 1;
    }
  }

  /** The words from any position to the end may be a command, and each single word may be a command line. */
  #addWrapped(words: ShellCommand, depth: number): void {
    const [program, ...args] = words as [ShellWord, ...ShellWord[]];
    const name = programOf(program.text);
    if (args.length > MAX_STARTS) this.isSure = false;
    if (isShell(name) && !args.some(({ text }) => /^-[a-z]*c/.test(text))) this.isSure = false;
    const adds = /^(?:xargs|parallel)$/.test(name);
    const replaces = adds || /^find$/.test(name);
    const given = args.map((word) => (replaces && word.text.includes('{}') ? opened(word) : word));
    for (const [index, word] of given.slice(0, MAX_STARTS).entries()) {
      if (this.#isFull) return;
      const rest = given.slice(index);
      this.#add(adds ? [...rest, { text: '', known: '', isWhole: false }] : rest);
      this.#addOptionless(rest);
      for (const value of valuesOf(word)) this.#addValue([value, ...rest.slice(1)], depth);
      if (isUnclear(word.text) || isInterpreterOfText(rest) || (adds && isWrapper(word.text))) this.isSure = false;
      if (isShell(programOf(word.text)) && !args.slice(index + 1).some(({ text }) => /^-[a-z]*c/.test(text)))
        this.isSure = false;
      // An argument that is replaced when the line runs may become a program or a command line.
      if (args[index]?.isWhole === false) this.isSure = false;
      if (/[\s;&|<>`$(){}'"\\]/.test(word.text) && word.text !== '{}') this.readLine(word.text, depth + 1);
    }
    if (isEvaluator(name) && args.length > 1) this.readLine(args.map(({ text }) => text).join(' '), depth + 1);
    if (isEvaluator(name) && args.some((word) => !word.isWhole)) this.isSure = false;
  }

  /** The value may be a program, or a command line that continues with the other words. */
  #addValue(words: ShellCommand, depth: number): void {
    const [value] = words as [ShellWord];
    this.#add(words);
    if (/[\s;&|<>`$(){}'"\\]/.test(value.text)) this.readLine(words.map(({ text }) => text).join(' '), depth + 1);
    if (isWrapper(value.text) || isUnclear(value.text) || isInterpreterOfText(words)) this.isSure = false;
  }
}

/** Returns the texts that may be the value in an option word, such as `rm` in `-Srm` (after one or more letters) and in `--split-string=rm`. */
function valuesOf({ text, known, isWhole }: ShellWord): readonly ShellWord[] {
  const from = (at: number) => ({ text: text.slice(at), known: known.slice(at), isWhole });
  if (text.startsWith('--')) return text.includes('=') ? [from(text.indexOf('=') + 1)] : [];
  return text.startsWith('-') ? [2, 3, 4].filter((at) => at < text.length).map(from) : [];
}

/** The program follows any reserved words, function names, options of `time` and assignments. */
function startOf(words: ShellCommand): number {
  let start = 0;
  for (let before = ''; start < words.length; start++) {
    const { text } = words[start] as ShellWord;
    const isPart = before === 'function' || (before === 'time' && text.startsWith('-'));
    if (!isPart && !isReserved(text) && !isAssignment(text)) break;
    before = isPart && before === 'function' ? '' : text;
  }
  return start;
}

function opened({ text }: ShellWord): ShellWord {
  return { text, known: text.slice(0, text.indexOf('{}')), isWhole: false };
}
