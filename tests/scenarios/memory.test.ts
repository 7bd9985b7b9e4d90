import { runAgent } from '@proto/agent';
import { createMemoryPair } from '@proto/core/transport';
import { createReferenceAgent } from '@proto/reference-agent';
import { testScenarios } from './scenarios.ts';

testScenarios('memory', ({ args }) => {
  const { host, agent } = createMemoryPair();
  const asksHost = args.includes('--permission-prompt-tool=stdio');
  const reference = createReferenceAgent(asksHost ? { permissionPromptTool: 'stdio' } : {});
  const outcome = runAgent(agent, {
    ...reference,
    permissions: { ...reference.permissions, ...(asksHost && { promptTool: 'stdio' }) },
    output: { partialMessages: args.includes('--include-partial-messages') },
  });
  // The host decides how the session ends.
  outcome.catch(() => {});
  return host;
});
