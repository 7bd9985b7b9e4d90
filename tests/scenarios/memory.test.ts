import { runAgent } from '@proto/agent';
import { createMemoryPair } from '@proto/core/transport';
import { createReferenceAgent } from '@proto/reference-agent';
import { testScenarios } from './scenarios.ts';

testScenarios('memory', ({ args }) => {
  const { host, agent } = createMemoryPair();
  const asked = args.includes('--permission-prompt-tool=stdio') ? { permissionPromptTool: 'stdio' } : {};
  const outcome = runAgent(agent, {
    ...createReferenceAgent(asked),
    ...asked,
    includePartialMessages: args.includes('--include-partial-messages'),
  });
  // The host decides how the session ends.
  outcome.catch(() => {});
  return host;
});
