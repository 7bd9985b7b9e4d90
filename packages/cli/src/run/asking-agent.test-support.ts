import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT, FOLDER } from '../bins.test-support.ts';

// The agent asks for permission before every call. The prompt `/read FILE` reads a file; any other prompt is treated as a command, but is not run.
const TEXT = `
import { readFileSync } from 'node:fs';

const assistant = (content) => ({ type: 'assistant', message: { role: 'assistant', content: [content] }, parent_tool_use_id: null });

export async function* runTurn({ prompt, canUseTool }) {
  const [, file] = /^\\/read (.*)$/.exec(prompt) ?? [];
  const [name, wanted] = file === undefined ? ['Bash', { command: prompt }] : ['Read', { file_path: file }];
  if (prompt === '/crash') process.exit(3);
  const id = 'toolu_' + crypto.randomUUID();
  yield assistant({ type: 'tool_use', id, name, input: wanted });
  const decision = await canUseTool(name, wanted, id);
  const is_error = decision.behavior === 'deny';
  const content = is_error ? decision.message : file === undefined ? 'ran' : readFileSync(decision.input.file_path, 'utf8');
  yield { type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error }] }, parent_tool_use_id: null };
  yield assistant({ type: 'text', text: content });
}
`;

export function askingAgent(): [command: string, ...args: string[]] {
  const path = join(FOLDER, 'asking-agent.mjs');
  writeFileSync(path, TEXT);
  return [AGENT, '--module', path];
}
