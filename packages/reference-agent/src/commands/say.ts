import type { Command } from '../action.ts';
import { words } from '../words.ts';

/** A line that is no command: answered by telling it back. */
export const say: Command = (line) => [
  { kind: 'say', pieces: words(line === '' ? 'You said nothing.' : `You said: ${line}`) },
];
