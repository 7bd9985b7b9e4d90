import type { Command } from '../action.ts';

/** `/ask QUESTION|A|B`: asks the user, who answers where the host is asked for the permission; tells the answer. */
export const ask: Command = (argument) => {
  const [question = '', ...labels] = argument.split('|').map((part) => part.trim());
  const options = labels.map((label) => ({ label, description: label }));
  const questions = [{ question, header: question.slice(0, 12), options, multiSelect: false }];
  return [{ kind: 'call', tool: 'AskUserQuestion', input: { questions } }];
};
