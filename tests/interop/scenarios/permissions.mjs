// Tool calls that modes, rules and the user decide.
import { query } from '@anthropic-ai/claude-agent-sdk';
import { collect, collectToEnd, options, prompts } from './host.mjs';

/** Runs one prompt. The first output is the list of permission requests, before the messages. */
async function asking(prompt, members, answer = (input) => ({ behavior: 'allow', updatedInput: input })) {
  const asked = [];
  const canUseTool = async (tool, input, { suggestions, blockedPath }) => {
    asked.push({ tool, input, suggestions, blockedPath });
    return answer(input, suggestions);
  };
  const running = query({ prompt: prompts().with(prompt), options: { ...options, canUseTool, ...members } });
  const seen = await collectToEnd(running);
  return [{ type: 'asked', asked }, ...seen];
}

const WRITES = '/write a.txt one\n/bash cat a.txt\n/read a.txt';

export const permissions = {
  'every tool in the default mode': () => asking(WRITES, {}),
  'every tool with edits accepted': () => asking(WRITES, { permissionMode: 'acceptEdits' }),
  'every tool in plan mode': () => asking(WRITES, { permissionMode: 'plan' }),
  'every tool with asking turned off': () => asking(WRITES, { permissionMode: 'dontAsk' }),
  'every tool without permissions': () =>
    asking(WRITES, {
      permissionMode: 'bypassPermissions',
      allowDangerouslySkipPermissions: true,
      canUseTool: undefined,
    }),
  'every tool by rules': () =>
    asking(`${WRITES}\n/bash rm a.txt`, {
      allowedTools: ['Bash(cat *)', 'Write(*.txt)'],
      disallowedTools: ['Bash(rm *)'],
    }),
  'a file outside of the directory': () => asking('/read /etc/hostname', {}),

  'a permission for the rest of the session': () =>
    asking('/bash echo one\n/bash echo one more', {}, (input, updatedPermissions) => ({
      behavior: 'allow',
      updatedInput: input,
      updatedPermissions,
    })),

  'a permission that is refused with an interrupt': () =>
    asking('/bash echo one\n/echo never', {}, () => ({ behavior: 'deny', message: 'stop', interrupt: true })),

  'several calls at once': () => asking('/parallel\n/bash echo a\n/bash echo b\n/read missing', {}),

  'nobody to ask': () => collect(query({ prompt: '/bash echo a', options })),
};
