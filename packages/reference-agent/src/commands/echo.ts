import type { Command } from '../action.ts';
import { words } from '../words.ts';

/** `/echo TEXT`: answers TEXT. */
export const echo: Command = (text) => [{ kind: 'say', pieces: words(text) }];
