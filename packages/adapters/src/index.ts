export type {
  AgentEvent,
  AgentEventOf,
  CompleteReason,
  EventOrigin,
  Outcome,
  ParsedEvent,
  ReaderStats,
  SaidText,
  SessionResult,
  Usage,
} from './agent-event.ts';
export {
  type AgentBackend,
  type BackendDeclaration,
  defineBackend,
  type OutputFormat,
  type PromptMode,
  type RunOptions,
} from './backend.ts';
export { type BackendRegistry, createBackendRegistry } from './backend-registry.ts';
export { buildInvocation, type Invocation } from './build-invocation.ts';
export { builtInBackends } from './built-in-backends.ts';
export { type ClaudeDialect, createClaudeParser } from './claude-parser.ts';
export { dispatch, type StreamHandler } from './dispatch.ts';
export type { ExitInfo, OutputParser, ParserOutput, TextParser } from './output-parser.ts';
export type { OnMalformed } from './output-reader.ts';
export type { OutputSource } from './output-source.ts';
export { type ReadOptions, readEvents } from './read-events.ts';
export type { MalformedLine } from './record-decoder.ts';
export { DEFAULT_MAX_TAG_BYTES } from './tag-scanner.ts';
export { createTextParser, type TextParserOptions } from './text-parser.ts';
export { type ProtoMessageOptions, toProtoMessages } from './to-proto-messages.ts';
