/** Shell completion, and commands as data, for a program with commands, such as a program built with commander. */
export { type CommandTree, commandTree, type OptionEntry } from './command-tree.ts';
export { type Candidate, type Completion, completeWords } from './complete-words.ts';
export type { DeclaredArgument, DeclaredCommand, DeclaredOption } from './declared-command.ts';
export { SHELLS, type Shell, shellScript } from './shell-scripts.ts';
