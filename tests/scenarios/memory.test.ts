import { runAgent } from '@proto/core';
import { createMemoryPair } from '@proto/core/transport';
import { runTurn } from '@proto/reference-agent';
import { testScenarios } from './scenarios.ts';

testScenarios('memory', ({ args }) => {
  const { host, agent } = createMemoryPair();
  const outcome = runAgent(agent, {
    runTurn,
    includePartialMessages: args.includes('--include-partial-messages'),
    ...(args.includes('--permission-prompt-tool=stdio') && { permissionPromptTool: 'stdio' }),
  });
  // How it ends is the host's to judge.
  outcome.catch(() => {});
  return host;
});
