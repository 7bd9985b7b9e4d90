export {
  type AgentHandle,
  type AgentDiagnostic,
  type AgentOptions,
  type AgentOutcome,
  type AuthStatus,
  DEFAULT_ENVIRONMENT_NAMES,
  type McpServersChange,
  type SessionStore,
} from './agent-options.ts';
export { runAgent } from './agent-session.ts';
export type { HookOutcome } from './hooks/hook-outcome.ts';
export type { HostMcpServer, ToolDefinition } from './mcp/host-mcp-server.ts';
export { DEFAULT_MAX_HOST_MCP_SERVERS } from './mcp/host-mcp-servers.ts';
export type { PermissionDecision } from './permissions/permission-decision.ts';
export { DEFAULT_MAX_RESOLVED_TOOLS, DEFAULT_MAX_UNEXPECTED_RESPONSES } from './permissions/permission-requests.ts';
export { DEFAULT_MAX_REMEMBERED_PROMPTS } from './prompts/prompt-intake.ts';
export { DEFAULT_MAX_QUEUED_LENGTH, DEFAULT_MAX_QUEUED_PROMPTS } from './prompts/prompt-queue.ts';
export { type PromptContent, textOf } from './prompts/prompt.ts';
export {
  type SessionMirrorOptions,
  type SessionTitle,
  titleEntry,
  transcriptEntry,
  type TranscriptPlace,
} from './transcript/session-mirror.ts';
export type { BackgroundTask, Elicitation, RunTurn, ToolCaller, Turn } from './turns/turn.ts';
