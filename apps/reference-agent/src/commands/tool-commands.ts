import { cutText } from '@proto/core/framing';
import { type Command, jsonOf, secondsOf } from '../actions.ts';

/** `/ask QUESTION|A|B`: asks the user, and repeats the answer. The host sends the answer with the permission for this call. */
export const ask: Command = (argument) => {
  const [question = '', ...labels] = argument.split('|').map((part) => part.trim());
  const options = labels.map((label) => ({ label, description: label }));
  const questions = [{ question, header: cutText(question, 12), options, multiSelect: false }];
  return [{ kind: 'call', tool: 'AskUserQuestion', input: { questions } }];
};

/** `/background SECONDS`: starts a command that takes that many seconds, and does not wait for it. When the command ends, another turn begins. */
export const background: Command = (argument) => {
  const command = `sleep ${secondsOf('/background', argument)}`;
  return [{ kind: 'call', tool: 'Bash', input: { command, description: command, run_in_background: true } }];
};

/** `/bash CMD`: runs a command in a shell, and shows its output. */
export const bash: Command = (command) => {
  if (command === '') throw new Error('/bash needs a command');
  return [{ kind: 'call', tool: 'Bash', input: { command, description: command } }];
};

/** `/mcp SERVER TOOL JSON`: calls a tool of one of the host's MCP servers with the input JSON, and shows the result. */
export const mcp: Command = (argument) => {
  const [, server, tool, json = '{}'] = /^(\S+)\s+(\S+)(?:\s+(.+))?$/s.exec(argument) ?? [];
  if (server === undefined || tool === undefined) throw new Error('/mcp needs a server, a tool and its input');
  return [{ kind: 'call', tool: `mcp__${server}__${tool}`, input: jsonOf('/mcp', json) }];
};

/** `/read FILE`: reads a file, and shows its text. */
export const read: Command = (file) => {
  if (file === '') throw new Error('/read needs the name of a file');
  return [{ kind: 'call', tool: 'Read', input: { file_path: file } }];
};

/** `/subagent TEXT`: gives TEXT, which may be a command, to a subagent, and shows the subagent's answer. */
export const subagent: Command = (prompt) => {
  if (prompt === '') throw new Error('/subagent needs text or a command');
  const input = { description: cutText(prompt, 40), prompt, subagent_type: 'general-purpose' };
  return [{ kind: 'call', tool: 'Agent', input }];
};

/** `/write FILE TEXT`: writes the text to a file, and replaces an existing file with that name. */
export const write: Command = (argument) => {
  const [, file, content = ''] = /^(\S+)(?: (.*))?$/s.exec(argument) ?? [];
  if (file === undefined) throw new Error('/write needs the name of a file and its text');
  return [{ kind: 'call', tool: 'Write', input: { file_path: file, content } }];
};
