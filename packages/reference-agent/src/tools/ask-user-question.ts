import type { ToolInput } from '../action.ts';
import type { Tool } from './tool.ts';

/** Asks the user: hosts put the answers into the input, question to label, where they are asked for the permission. */
export const askUserQuestion: Tool = {
  name: 'AskUserQuestion',
  effect: 'asks',
  run(input) {
    const texts = questionsOf(input).map(
      (question) => `The answer to "${question}" is "${answerTo(question, input)}".`,
    );
    return { content: texts.join('\n'), output: input };
  },
};

function questionsOf({ questions }: ToolInput): readonly string[] {
  if (!Array.isArray(questions)) throw new Error('questions must be an array');
  return questions.map((each: unknown) =>
    String(typeof each === 'object' && each !== null && Reflect.get(each, 'question')),
  );
}

function answerTo(question: string, { answers }: ToolInput): string {
  const answer: unknown = typeof answers === 'object' && answers !== null ? Reflect.get(answers, question) : undefined;
  if (typeof answer !== 'string') throw new Error('The question was not answered.');
  return answer;
}
