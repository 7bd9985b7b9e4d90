import type { Command } from '../action.ts';

/** `/think TEXT`: thinks TEXT, then says that it has. */
export const think: Command = (text) => [
  { kind: 'think', text },
  { kind: 'say', pieces: ['I thought about it.'] },
];
