/** What a program with commands, such as of commander, offers to shells and to other programs. */
export { type CommandTree, commandTree, type OptionEntry } from './command-tree.ts';
export { type Candidate, type Completion, completeWords } from './complete-words.ts';
export type { DeclaredArgument, DeclaredCommand, DeclaredOption } from './declared-command.ts';
export { SHELLS, type Shell, shellScript } from './shell-scripts.ts';
