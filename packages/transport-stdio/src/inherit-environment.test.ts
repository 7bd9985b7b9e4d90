import { verifies } from '@proto/requirements';
import { expect, onTestFinished, vi } from 'vitest';
import { inheritEnvironment } from './inherit-environment.ts';
import { pickEnvironment } from './pick-environment.ts';
import { type SpawnAgentOptions, spawnAgent } from './spawn-agent.ts';

/** The environment that a child says it has. */
async function environmentOf(options: Pick<SpawnAgentOptions, 'env'>): Promise<Readonly<Record<string, string>>> {
  const program = 'console.log(JSON.stringify({ type: "env", ...process.env }))';
  const agent = spawnAgent({ command: process.execPath, args: ['-e', program], ...options });
  let env = {};
  for await (const items of agent.incoming) for (const item of items) if (item.kind === 'message') env = item.read();
  return (env as { message: Record<string, string> }).message;
}

verifies(
  'R-36.1',
  'an agent inherits the environment without an outer session, or has what is on a list, or just what it is given',
  async () => {
    const outer = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'outer', CLAUDE_CODE_MESSAGING_TOKEN: 'secret' };
    for (const [name, value] of Object.entries({ ...outer, SOME_NAME: 'some value' })) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());

    const byDefault = await environmentOf({});
    expect(byDefault).toMatchObject({ SOME_NAME: 'some value', PATH: process.env['PATH'] });
    const inherited = await environmentOf({ env: inheritEnvironment({ CLAUDE_CODE_ENTRYPOINT: 'mine' }) });
    expect(inherited).toEqual({ ...byDefault, CLAUDE_CODE_ENTRYPOINT: 'mine' });
    for (const name of Object.keys(outer)) expect(inherited).not.toHaveProperty(name);

    const { type: _, ...picked } = await environmentOf({ env: pickEnvironment(['some_name'], { OTHER: '2' }) });
    expect(picked).toEqual({ SOME_NAME: 'some value', OTHER: '2' });
    const { type: _type, ...replaced } = await environmentOf({ env: outer });
    expect(replaced).toEqual(outer);
  },
);
