import type { Command } from '../action.ts';

/** `/read FILE`: reads a file, and tells what is in it. */
export const read: Command = (file) => {
  if (file === '') throw new Error('/read takes the name of a file');
  return [{ kind: 'call', tool: 'Read', input: { file_path: file } }];
};
