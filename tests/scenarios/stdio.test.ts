import { fileURLToPath } from 'node:url';
import { createHostSession, type AgentCommand, query, withHost } from '@proto/host';
import { verifies } from '@proto/test-support/verifies';
import { inheritEnvironment, spawnAgent } from '@proto/transport-stdio';
import { expect } from 'vitest';
import { testScenarios } from './scenarios.ts';

const command = fileURLToPath(new URL('../../packages/cli/dist/agent.js', import.meta.url));
const open = ({ args, env }: AgentCommand) => spawnAgent({ command, args, env: inheritEnvironment(env) });

testScenarios('stdio', open);

verifies(
  'HOST-3',
  'a host starts a process with the given options, and sends prompts until it closes the process',
  () =>
    withHost({ transport: open, launch: { model: 'a-model', permissionMode: 'plan' } }, async (host) => {
      for (const text of ['one', 'two']) {
        await host.prompt(`/echo ${text}`).accepted;
        const shown = [];
        for await (const message of host.untilResult()) {
          if (message.type === 'system' && message.subtype === 'init') {
            shown.push(message.model, message.permissionMode);
          }
          if (message.type === 'result' && message.subtype === 'success') shown.push(message.result);
        }
        expect(shown).toEqual(['a-model', 'plan', text]);
      }
    }),
);

verifies('HOST-2', 'the messages of a process arrive one by one with their types, followed by the end', async () => {
  const canUseTool = () => ({ behavior: 'deny', message: 'no' }) as const;
  const messages = query({ prompt: '/ask Which?|A|B', transport: open, canUseTool })[Symbol.asyncIterator]();
  const types: string[] = [];
  for (let next = await messages.next(); next.done !== true; next = await messages.next()) types.push(next.value.type);
  expect(types.filter((type) => type !== 'command_lifecycle')).toEqual([
    'system',
    'assistant',
    'user',
    'assistant',
    'result',
  ]);
  expect(await messages.next()).toEqual({ done: true, value: undefined });
});

verifies(
  'FRAME-2',
  'a line above the configured limit of one mebibyte is refused, and the lines after it are read',
  async () => {
    const program = `
    const big = { type: 'assistant', message: { content: [{ type: 'text', text: 'x'.repeat(2 ** 20) }] } };
    for (const message of [big, { type: 'result', subtype: 'success' }]) console.log(JSON.stringify(message));
  `;
    /** Collects the types of the messages, and the errors of lines that were refused. */
    async function run(limits: { readonly maxLineBytes?: number }): Promise<readonly (readonly string[])[]> {
      const refused: string[] = [];
      const types: string[] = [];
      const session = createHostSession(
        spawnAgent({ command: process.execPath, args: ['--eval', program], env: {}, ...limits }),
        { onMalformed: ({ error }) => refused.push(error.code) },
      );
      for await (const { type } of session) types.push(type);
      return [types, refused];
    }
    expect(await run({ maxLineBytes: 2 ** 20 })).toEqual([['result'], ['too-large']]);
    expect(await run({})).toEqual([['assistant', 'result'], []]);
  },
);
