import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgv } from '@proto/headless';
import { describe, expect, test } from 'vitest';
import { forwardOptions } from './forwarded-options.ts';

const folder = mkdtempSync(join(tmpdir(), 'forwarded-options-'));
const file = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

/** The forwarded options of a command line, as hosts pass it. */
function forwarded(...argv: readonly string[]) {
  const parsed = parseArgv(['--output-format=stream-json', '--verbose', '--input-format=stream-json', ...argv], '1');
  if (parsed.kind !== 'run') throw new Error(JSON.stringify(parsed));
  return forwardOptions(parsed.options);
}

describe('what an agent elsewhere gets', () => {
  test('nothing for a bare command line', async () => {
    expect(await forwarded('--include-partial-messages', '--permission-prompt-tool=stdio')).toEqual({
      initialize: {},
      requests: [],
      left: [],
    });
  });

  test('by initialize: prompts, forms, subagents, and the servers within the host', async () => {
    const servers = { lab: { type: 'sdk', name: 'lab' }, other: { command: 'x' } };
    const config = file('mcp.json', JSON.stringify({ mcpServers: servers }));
    const { initialize, left } = await forwarded(
      '--system-prompt',
      'be brief',
      '--append-system-prompt',
      'and kind',
      '--json-schema',
      '{"type":"object"}',
      '--agents',
      '{"a":{}}',
      '--mcp-config',
      config,
    );
    expect(initialize).toEqual({
      systemPrompt: ['be brief'],
      appendSystemPrompt: 'and kind',
      jsonSchema: { type: 'object' },
      agents: { a: {} },
      sdkMcpServers: ['lab'],
    });
    expect(left).toEqual(['--mcp-config (the servers that do not run in the host)']);
  });

  test('by requests: model, mode, thinking, and rules together with settings', async () => {
    const settings = file('settings.json', '{"permissions":{"deny":["Bash(rm *)"],"ask":["Write"]},"x":1}');
    const { requests } = await forwarded(
      '--model',
      'm',
      '--permission-mode',
      'manual',
      '--max-thinking-tokens',
      '5',
      '--allowedTools',
      'Read,Bash(git *)',
      '--disallowedTools',
      'Write',
      '--settings',
      settings,
    );
    expect(requests.map(({ request }) => request)).toEqual([
      {
        subtype: 'apply_flag_settings',
        settings: {
          permissions: { allow: ['Read', 'Bash(git *)'], deny: ['Bash(rm *)', 'Write'], ask: ['Write'] },
          x: 1,
        },
      },
      { subtype: 'set_model', model: 'm' },
      { subtype: 'set_permission_mode', mode: 'default' },
      { subtype: 'set_max_thinking_tokens', max_thinking_tokens: 5 },
    ]);
  });

  test('flags that are not forwarded are reported', async () => {
    const { left, requests } = await forwarded('--add-dir', '/data', '--max-turns', '3');
    expect([left.toSorted(), requests]).toEqual([['--add-dir', '--max-turns'], []]);
  });

  test.each([
    [['--resume=x', '--fork-session'], '--fork-session cannot be used'],
    [['--settings', join(folder, 'missing.json')], 'missing.json cannot be read, or does not contain JSON'],
  ])('what would be something else than the host wants is refused: %j', async (argv, text) => {
    await expect(forwarded(...argv)).rejects.toThrow(text);
  });
});
