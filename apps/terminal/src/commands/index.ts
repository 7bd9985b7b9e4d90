export {
  type Candidate,
  type CompletedArgument,
  type CompletedCommand,
  type CompletedOption,
  type Completion,
  completeWords,
} from './complete-words.ts';
export { SHELLS, type Shell, shellScript } from './shell-scripts.ts';
