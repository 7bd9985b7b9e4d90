export {
  type AgentHandle,
  type AgentDiagnostic,
  type AgentEnvironmentOptions,
  type AgentMcpOptions,
  type AgentModelOptions,
  type AgentOptions,
  type AgentOutcome,
  type AgentOutputOptions,
  type AgentPermissionOptions,
  type AgentSessionOptions,
  type AuthStatus,
  type McpServersChange,
  type SessionStore,
} from './agent-options.ts';
export { runAgent } from './agent-session.ts';
export type { HookOutcome } from './hooks/hook-outcome.ts';
export type { HostMcpServer, ToolDefinition } from './mcp/host-mcp-server.ts';
export type { PermissionDecision } from './permissions/permission-decision.ts';
export { type PromptContent, textOf } from './prompts/prompt.ts';
export {
  type SessionMirrorOptions,
  type SessionTitle,
  titleEntry,
  transcriptEntry,
  type TranscriptPlace,
} from './transcript/session-mirror.ts';
export type { BackgroundTask, Elicitation, RunTurn, ToolCaller, Turn } from './turns/turn.ts';
