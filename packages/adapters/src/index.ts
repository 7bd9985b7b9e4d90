export {
  type AgentBackend,
  type BackendDeclaration,
  defineBackend,
  type RunOptions,
} from './backends/backend.ts';
export { type BackendRegistry, builtInBackends, createBackendRegistry } from './backends/backend-registry.ts';
export { buildInvocation, type Invocation } from './backends/build-invocation.ts';
export type {
  AgentEvent,
  AgentEventOf,
  Outcome,
  ParsedEvent,
  SessionResult,
  Usage,
} from './events/agent-event.ts';
export { dispatch, type StreamHandler } from './events/dispatch.ts';
export type { OutputSource } from './events/output-source.ts';
export { type ReadOptions, readEvents } from './events/read-events.ts';
export { type ProtoMessageOptions, toProtoMessages } from './messages/to-proto-messages.ts';
export { createClaudeParser } from './parsers/claude-parser.ts';
export type { ExitInfo, OutputParser, ParserOutput, TextParser } from './parsers/output-parser.ts';
export { createTextParser } from './parsers/text-parser.ts';
