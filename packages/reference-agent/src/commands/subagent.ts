import type { Command } from '../action.ts';

/** `/subagent TEXT`: gives TEXT, which may be a command, to a subagent, and tells its answer. */
export const subagent: Command = (prompt) => {
  if (prompt === '') throw new Error('/subagent takes a text or a command');
  const input = { description: prompt.slice(0, 40), prompt, subagent_type: 'general-purpose' };
  return [{ kind: 'call', tool: 'Agent', input }];
};
