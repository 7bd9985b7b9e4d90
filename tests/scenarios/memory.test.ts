import { createMemoryPair } from '@proto/core/transport';
import { beReferenceAgent } from './reference-agent.ts';
import { testScenarios } from './scenarios.ts';

testScenarios('memory', ({ args }) => {
  const { host, agent } = createMemoryPair();
  void beReferenceAgent(agent, args);
  return host;
});
