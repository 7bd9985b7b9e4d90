// Calls every method of a query in one session.
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { collect, options, prompts } from './host.mjs';

const lab = () =>
  createSdkMcpServer({
    name: 'lab',
    version: '1.0.0',
    tools: [tool('hi', 'Says hi', {}, async () => ({ content: [{ type: 'text', text: 'hi' }] }))],
  });

/** The order matters: later calls show the effect of earlier ones. */
const CALLS = [
  ['initializationResult'],
  ['reinitialize'],
  ['supportedCommands'],
  ['supportedModels'],
  ['supportedAgents'],
  ['accountInfo'],
  ['getContextUsage'],
  ['usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET'],
  ['readFile', 'a.txt'],
  ['readFile', '/etc/hostname'],
  ['reloadPlugins'],
  ['reloadSkills'],
  ['reloadOutputStyles'],
  ['setPermissionMode', 'plan'],
  ['setModel', 'another'],
  ['setMaxThinkingTokens', 1000],
  ['applyFlagSettings', { model: 'another' }],
  ['seedReadState', '/work/a.txt', 1],
  ['setMcpServers', { lab: lab() }],
  ['reconnectMcpServer', 'lab'],
  ['mcpServerStatus'],
  ['toggleMcpServer', 'lab', false],
  ['toggleMcpServer', 'lab', true],
  ['readMcpResource', 'missing', 'ui://a'],
  ['rewindFiles', 'no-prompt'],
  ['setPermissionMode', 'bypassPermissions'],
  ['setMcpPermissionModeOverride', 'lab', 'default'],
  // Methods that the SDK has but does not declare. Editors and adapters call these methods.
  ['generateSessionTitle', 'Fix the login page\nIt is broken.', { persist: true }],
  ['renameSession', 'By hand'],
  ['generateSessionTitle', 'Another topic'],
  ['getStatus'],
  ['getSettings'],
  ['getPlan'],
  ['exportConversation'],
  ['getHooksListing'],
  ['listPermissionRules'],
  ['setPromptSuggestionsPaused', true],
  ['enableRemoteControl', false],
  ['submitFeedback', 'good'],
  ['enableRemoteControl', true],
  ['mcpAuthenticate', 'lab'],
  ['askSideQuestion', 'why?'],
  ['setCwd', '/tmp'],
  ['getMemoryDialog'],
  ['getChromeBrowsers'],
  ['claudeAuthenticate', true],
  ['stopTask', 'no-task'],
  ['backgroundTasks'],
  ['interrupt'],
];

export const methods = {
  async 'every method'() {
    const input = prompts();
    input.add('/write a.txt hello');
    const running = query({ prompt: input, options: { ...options, permissionMode: 'acceptEdits' } });
    const answers = [];
    const seen = await collect(running, async (message, all) => {
      if (message.type !== 'result') return;
      if (all.filter(({ type }) => type === 'result').length > 1) return input.end();
      for (const [name, ...given] of CALLS) {
        try {
          answers.push([name, (await running[name](...given)) ?? null]);
        } catch (error) {
          answers.push([name, { thrown: error.message }]);
        }
      }
      const more = prompts();
      await running.streamInput(more.with('/echo more'));
    });
    return [{ type: 'answers', answers }, ...seen];
  },
};
