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
    ['setPermissionMode', { mode: 'plan' }],
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
    ['setMcpPermissionModeOverride', {}],
    ['generateSessionTitle', 'Fix the login page'],
    ['renameSession', null],
    ['generateSessionTitle', 'By hand'],
    ['getStatus', { sections: [{ title: 'Session' }, { title: 'Environment' }] }],
    ['getSettings', { effective: { model: 'another' }, applied: { model: 'another' } }],
    ['getPlan', { exists: false }],
    ['exportConversation', { text: expect.stringMatching(/^> \/write a\.txt hello\n/) }],
    ['getHooksListing', { events: [], hooks: [] }],
    ['listPermissionRules', { state: { rules: [], managedOnly: false } }],
    ['setPromptSuggestionsPaused', null],
    ['enableRemoteControl', null],
    ['submitFeedback', { feedback_id: null, unavailable_reason: expect.stringContaining('feedback') }],
    ['enableRemoteControl', thrown('cannot be controlled remotely')],
    ['mcpAuthenticate', thrown('lab is an MCP server of the host')],
    ['askSideQuestion', thrown('Unsupported control request subtype: side_question')],
    ['setCwd', thrown('Unsupported control request subtype: set_cwd')],
    ['getMemoryDialog', thrown('Unsupported control request subtype: get_memory_dialog')],
    ['getChromeBrowsers', thrown('Unsupported control request subtype: get_chrome_browsers')],
    ['claudeAuthenticate', thrown('Unsupported control request subtype: claude_authenticate')],
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
