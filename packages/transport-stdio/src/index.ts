export { type AddedToCommand, stdio } from './stdio.ts';
export {
  AgentNotFoundError,
  AgentProcessError,
  FolderNotFoundError,
  type ProcessClose,
  type ProcessEnd,
  processEndOf,
} from './agent-errors.ts';
export { AGENT_VARIABLES } from './agent-environment.ts';
export { type ExecOptions, execScheme, execWords } from './stdio-scheme.ts';
export { inheritEnvironment } from './agent-environment.ts';
export { NETWORK_VARIABLES } from './agent-environment.ts';
export { createRawDecoder } from './output-decoders.ts';
export { pickEnvironment } from './agent-environment.ts';
export { createMultilineDecoder } from './output-decoders.ts';
export { findAgent, type SpawnedAgent, spawnAgent } from './spawn-agent.ts';
export type { SpawnAgentOptions } from './spawn-options.ts';
export { nodeTextDecoder } from './node-text-decoder.ts';
export { stdioScheme } from './stdio-scheme.ts';
export { createStdioTransport, type StdioOptions } from './stdio-transport.ts';
