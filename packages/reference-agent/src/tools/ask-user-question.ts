import type { Tool } from './tool.ts';

/** Asks the user: hosts put the answers into the input, question to label, where they are asked for the permission. */
export const askUserQuestion: Tool = {
  name: 'AskUserQuestion',
  effect: 'asks',
  run(input) {
    const { answers } = input;
    // Of the answers, not of the questions: some hosts send back nothing else.
    const given = Object.entries(typeof answers === 'object' && answers !== null ? answers : {}).filter(
      ([, label]) => typeof label === 'string',
    );
    if (given.length === 0) throw new Error('The question was not answered.');
    const texts = given.map(([question, label]) => `The answer to "${question}" is "${label}".`);
    return { content: texts.join('\n'), output: input };
  },
};
