import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { answer, run, STREAM, user } from './run.test-support.ts';
import { sdkMcpServers } from './sdk-mcp-servers.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcp-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const flags = { outputFormat: 'stream-json', inputFormat: 'stream-json' } as const;

test('servers of the host are those of type sdk, of every configuration', async () => {
  const mcpConfig = [
    { mcpServers: { lab: { type: 'sdk', name: 'lab' }, far: { type: 'http', url: 'http://localhost' }, odd: null } },
    fileOf('a.json', '{"mcpServers":{"tools":{"type":"sdk","name":"tools"},"lab":{"type":"sdk"}}}'),
    {},
    { mcpServers: [] as never },
  ];
  expect(await sdkMcpServers({ ...flags, mcpConfig })).toEqual(['lab', 'tools']);
  expect(await sdkMcpServers(flags)).toEqual([]);
});

test('a configuration that cannot be read ends the agent at its start', async () => {
  for (const file of [join(folder, 'missing'), fileOf('b.json', '{'), fileOf('c.json', '[]')]) {
    const outcome = await run([...STREAM, '--mcp-config', file], user('one'), { runTurn: (turn) => answer(turn) });
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(/^Error: Invalid MCP configuration: .*\n$/);
  }
});
