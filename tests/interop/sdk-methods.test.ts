import { expect, test } from 'vitest';
import { results, runCleanly } from './sdk.test-support.ts';

test('every method of the published SDK is answered, and changed settings hold for the next turn', async () => {
  const run = await runCleanly('every method');
  const thrown = (text: string) => ({ thrown: expect.stringContaining(text) });
  const commands = expect.arrayContaining([expect.objectContaining({ name: 'echo' })]);
  const agents = expect.arrayContaining([expect.objectContaining({ name: 'general-purpose' })]);
  const capabilities = { commands, agents, output_style: 'default', account: {} };
  expect(run.messages[0]?.answers).toMatchObject([
    ['initializationResult', { ...capabilities, current_permission_mode: 'acceptEdits' }],
    ['reinitialize', capabilities],
    ['supportedCommands', commands],
    ['supportedModels', [{ value: 'default' }]],
    ['supportedAgents', agents],
    ['accountInfo', {}],
    ['getContextUsage', { totalTokens: expect.any(Number), maxTokens: 200_000, model: 'reference' }],
    [
      'usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET',
      { session: { model_usage: { reference: { outputTokens: expect.any(Number) } } }, rate_limits: null },
    ],
    ['readFile', { contents: 'hello' }],
    // A file that needs a permission is not read.
    ['readFile', null],
    ['reloadPlugins', { commands, agents, error_count: 0 }],
    ['reloadSkills', { skills: commands }],
    ['reloadOutputStyles', { available_output_styles: ['default'] }],
    ['setPermissionMode', null],
    ['setModel', null],
    ['setMaxThinkingTokens', null],
    ['applyFlagSettings', null],
    ['seedReadState', null],
    ['setMcpServers', { added: ['lab'], removed: [], errors: {} }],
    ['reconnectMcpServer', null],
    ['mcpServerStatus', [{ name: 'lab', status: 'connected', tools: [{ name: 'hi' }] }]],
    ['toggleMcpServer', null],
    ['toggleMcpServer', null],
    ['readMcpResource', thrown('Server not found: missing')],
    ['rewindFiles', thrown('File rewinding is not enabled.')],
    ['setPermissionMode', thrown('bypassPermissions')],
    ['setMcpPermissionModeOverride', thrown('Unsupported control request')],
    ['stopTask', null],
    ['backgroundTasks', false],
    ['interrupt', { still_queued: [] }],
  ]);
  expect(results(run)).toMatchObject([{ subtype: 'success' }, { subtype: 'success', result: 'more' }]);
  expect(run.messages.filter(({ subtype }) => subtype === 'init').at(-1)).toMatchObject({
    permissionMode: 'plan',
    model: 'another',
    tools: expect.arrayContaining(['mcp__lab__hi']),
  });
});
