import { fileURLToPath } from 'node:url';
import { type Launch, query, withHost } from '@proto/core/host';
import { verifies } from '@proto/requirements';
import { spawnAgent } from '@proto/transport-stdio';
import { expect } from 'vitest';
import { testScenarios } from './scenarios.ts';

const command = fileURLToPath(new URL('../../packages/cli/dist/agent.js', import.meta.url));
const open = ({ args, env }: Launch) => spawnAgent({ command, args, env: { ...process.env, ...env } });

testScenarios('stdio', open);

verifies('S4-05', 'options of a host start a process that works by them, and takes prompts until it is left', () =>
  withHost({ transport: open, launch: { model: 'a-model', permissionMode: 'plan' } }, async (host) => {
    for (const text of ['one', 'two']) {
      await host.prompt(`/echo ${text}`);
      const shown = [];
      for await (const message of host.untilResult()) {
        if (message['subtype'] === 'init') shown.push(message['model'], message['permissionMode']);
        if (message.type === 'result') shown.push(message['result']);
      }
      expect(shown).toEqual(['a-model', 'plan', text]);
    }
  }),
);

verifies('S4-03', 'the messages of a process come one by one, by their types, and then the end', async () => {
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
