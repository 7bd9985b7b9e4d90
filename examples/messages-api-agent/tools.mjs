import { readFile } from 'node:fs/promises';

export const TOOLS = [
  {
    name: 'Read',
    description: 'Gives the text of a file.',
    input_schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
];

/** Runs a tool. The model gets an error as the result. */
export async function runTool(name, input, signal) {
  try {
    if (name !== 'Read') throw new Error(`no tool ${name}`);
    return { content: await readFile(input.path, { encoding: 'utf8', signal }), is_error: false };
  } catch (error) {
    return { content: error.message, is_error: true };
  }
}
