export { attachWorker, type AttachWorkerOptions } from './attach-worker.ts';
export {
  type AgentEnd,
  type RestartPolicy,
  type SessionAgent,
  type SessionAgentOptions,
  startSessionAgent,
} from './session-agent.ts';
export {
  type AgentEvent,
  createSessionAgents,
  type SessionAgents,
  type SessionAgentsOptions,
} from './session-agents.ts';
export {
  checkSessionAgent,
  createLocalAgents,
  type LocalAgentsOptions,
  spawnSessionAgent,
  type SpawnSessionAgentOptions,
} from './spawn-session-agent.ts';
