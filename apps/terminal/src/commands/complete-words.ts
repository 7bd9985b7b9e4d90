import type { DeclaredArgument, DeclaredCommand, DeclaredOption } from './declared-command.ts';

/** What a shell offers for a word of a command line. */
export interface Completion {
  /** The words that begin with the unfinished word. */
  readonly candidates: readonly Candidate[];
  /** The kind of names that the shell itself adds to the candidates: files, folders or programs. */
  readonly also?: 'files' | 'folders' | 'programs';
}

/** One possible completion of the unfinished word. */
export interface Candidate {
  /** The whole word, such as `--format` or `--format=json`. */
  readonly word: string;
  /** A description of what the word does; empty for a value. */
  readonly description: string;
}

const NOTHING: Completion = { candidates: [] };
const ON_DISK: Readonly<Record<string, Completion['also']>> = { file: 'files', path: 'files', folder: 'folders' };

/**
 * Completes the last word of a command line, which is given without the name of the program. Completes commands, options, choices, and files if a
 * value is called `<file>`. The words after `--` are the command line of an agent.
 */
export function completeWords(program: DeclaredCommand, words: readonly string[]): Completion {
  const current = words.at(-1) ?? '';
  let command = program;
  let taken = 0;
  const used = new Set<DeclaredOption>();
  const before = words.slice(0, -1);
  for (let at = 0; at < before.length; at++) {
    const word = before[at] ?? '';
    if (word === '--') return { candidates: [], also: at === before.length - 1 ? 'programs' : 'files' };
    if (word.startsWith('-') && word !== '-') {
      const option = findOption(command, word);
      if (option === undefined) continue;
      used.add(option);
      if (!option.required || word.includes('=')) continue;
      at++;
      // The value of the option is the word that is being written.
      if (at === before.length) return valueCompletion(option, current);
      continue;
    }
    const next = taken === 0 ? findCommand(command, word) : undefined;
    if (next === undefined) taken++;
    else command = next;
  }
  // `sjp help COMMAND`: the words are names of commands.
  if (taken === 1 && command === program && before.includes('help')) return matching(commandNames(program), current);
  const [name, value] = current.split(/=(.*)/s);
  if (value !== undefined && name?.startsWith('--')) {
    const option = findOption(command, name);
    return option?.required === true ? valueCompletion(option, value, `${name}=`) : NOTHING;
  }
  if (current.startsWith('-')) return matching(optionNames(command, used), current);
  if (taken === 0 && command.commands.length > 0) return matching(commandNames(command), current);
  return argumentCompletion(argumentAt(command, taken), current);
}

function findCommand(command: DeclaredCommand, word: string): DeclaredCommand | undefined {
  return command.commands.find((child) => child.name() === word || child.aliases().includes(word));
}

function findOption(command: DeclaredCommand, word: string): DeclaredOption | undefined {
  const [name] = word.split('=');
  return command.options.find(({ short, long }) => short === name || long === name);
}

function argumentAt({ registeredArguments }: DeclaredCommand, taken: number): DeclaredArgument | undefined {
  const last = registeredArguments.at(-1);
  return registeredArguments[taken] ?? (last?.variadic === true ? last : undefined);
}

function argumentCompletion(argument: DeclaredArgument | undefined, current: string): Completion {
  if (argument === undefined) return NOTHING;
  if (argument.argChoices === undefined) return onDisk(argument.name());
  return matching(
    argument.argChoices.map((word) => ({ word, description: '' })),
    current,
  );
}

function valueCompletion({ flags, argChoices }: DeclaredOption, current: string, prefix = ''): Completion {
  if (argChoices === undefined) return onDisk(/<([\w-]+)/.exec(flags)?.[1] ?? '');
  const candidates = argChoices.map((word) => ({ word: `${prefix}${word}`, description: '' }));
  return matching(candidates, `${prefix}${current}`);
}

function onDisk(value: string): Completion {
  const also = ON_DISK[value];
  return also === undefined ? NOTHING : { candidates: [], also };
}

function commandNames(command: DeclaredCommand): readonly Candidate[] {
  const shown = command.createHelp().visibleCommands(command);
  return shown.map((child) => ({ word: child.name(), description: child.description() }));
}

function optionNames(command: DeclaredCommand, used: ReadonlySet<DeclaredOption>): readonly Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .filter((option) => !used.has(option))
    .flatMap(({ long, description }) => (long === undefined ? [] : [{ word: long, description }]));
}

function matching(candidates: readonly Candidate[], current: string): Completion {
  return { candidates: candidates.filter(({ word }) => word.startsWith(current)) };
}
