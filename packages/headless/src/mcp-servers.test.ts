import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@proto/test-support/verifies';
import { afterAll, expect, test } from 'vitest';
import { answer, run, STREAM, user } from './run.test-support.ts';
import { mcpServers } from './set-up.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcp-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const flags = { outputFormat: 'stream-json', inputFormat: 'stream-json' } as const;

test('the servers of type sdk in all configurations are those that the host runs', async () => {
  const mcpConfig = [
    { mcpServers: { lab: { type: 'sdk', name: 'lab' }, far: { type: 'http', url: 'http://localhost' }, odd: null } },
    fileOf('a.json', '{"mcpServers":{"tools":{"type":"sdk","name":"tools"},"lab":{"type":"sdk"}}}'),
    {},
    { mcpServers: [] as never },
  ];
  expect(await mcpServers({ ...flags, mcpConfig })).toEqual({ inHost: ['lab', 'tools'], others: ['far', 'odd'] });
  expect(await mcpServers(flags)).toEqual({ inHost: [], others: [] });
});

verifies(
  'PROGRAM-16',
  'the agent warns about servers that it does not start, unless it declares `mcpConfig` in its reads',
  async () => {
    const config = {
      mcpServers: { lab: { type: 'sdk', name: 'lab' }, far: { type: 'http', url: 'http://localhost' } },
    };
    const argv = [...STREAM, '--mcp-config', JSON.stringify(config)];
    const stderrOf = async (reads: readonly 'mcpConfig'[] = []) => (await run(argv, '', { reads })).stderr;
    expect(await stderrOf()).toBe(
      'Warning: --mcp-config: this agent does not start MCP servers, so far is ignored. Only servers of type "sdk", which run in the host, are used\n',
    );
    expect(await stderrOf(['mcpConfig'])).toBe('');
  },
);

test('a configuration that cannot be read makes the agent exit with 1 at its start', async () => {
  for (const file of [
    join(folder, 'missing'),
    fileOf('b.json', '{'),
    fileOf('c.json', '[]'),
    fileOf('d.json', '{"a":1,"a":2}'),
  ]) {
    const outcome = await run([...STREAM, '--mcp-config', file], user('one'), { runTurn: (turn) => answer(turn) });
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(/^Error: Invalid MCP configuration: .*\n$/);
  }
});
