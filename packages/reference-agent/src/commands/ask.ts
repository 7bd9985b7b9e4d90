import type { Turn, WireMessage } from '@proto/core';
import { callTool } from '../call-tool.ts';
import { reply } from '../reply.ts';
import { echo } from './echo.ts';

/** `/ask QUESTION|A|B`: asks the user, who answers where the host is asked for the permission; tells the answer. */
export async function* ask(argument: string, turn: Turn): AsyncGenerator<WireMessage, void, undefined> {
  const [question = '', ...options] = argument.split('|').map((part) => part.trim());
  const input = {
    questions: [
      {
        question,
        header: question.slice(0, 12),
        options: options.map((label) => ({ label, description: label })),
        multiSelect: false,
      },
    ],
  };
  const answer = yield* callTool(turn, {
    name: 'AskUserQuestion',
    input,
    run: (answered) => answerTo(question, answered),
  });
  if (!turn.signal.aborted) yield* reply(echo(answer), turn.signal);
}

/** Hosts put the answers into the input, question to label. */
function answerTo(question: string, { answers }: Readonly<Record<string, unknown>>): string {
  const answer: unknown = typeof answers === 'object' && answers !== null ? Reflect.get(answers, question) : undefined;
  if (typeof answer !== 'string') throw new Error('The question was not answered.');
  return `The answer to "${question}" is "${answer}".`;
}
