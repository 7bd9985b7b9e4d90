import type { Command } from '../action.ts';

/** `/write FILE TEXT`: makes a file of the text, in the place of the one before. */
export const write: Command = (argument) => {
  const [, file, content = ''] = /^(\S+)(?: (.*))?$/s.exec(argument) ?? [];
  if (file === undefined) throw new Error('/write takes the name of a file and a text');
  return [{ kind: 'call', tool: 'Write', input: { file_path: file, content } }];
};
