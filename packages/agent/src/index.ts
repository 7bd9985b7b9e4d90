export { runAgent } from './run-agent.ts';
export {
  type AgentHandle,
  type AgentOptions,
  type AgentOutcome,
  type AuthStatus,
  DEFAULT_ENVIRONMENT_NAMES,
  type McpServersChange,
  type SessionStore,
} from './agent-options.ts';
export { DEFAULT_MAX_QUEUED_LENGTH, DEFAULT_MAX_QUEUED_PROMPTS } from './agent-turns.ts';
export type { BackgroundTask } from './background-tasks.ts';
export type { Elicitation } from './elicitation.ts';
export type { HookOutcome } from './hook-outcome.ts';
export type { HostMcpServer } from './host-mcp-server.ts';
export { DEFAULT_MAX_HOST_MCP_SERVERS } from './host-mcp-servers.ts';
export type { PermissionDecision } from './permission-decision.ts';
export { DEFAULT_MAX_RESOLVED_TOOLS, DEFAULT_MAX_UNEXPECTED_RESPONSES } from './permission-requests.ts';
export { DEFAULT_MAX_REMEMBERED_PROMPTS } from './prompt-intake.ts';
export { type PromptContent, textOf } from './prompt.ts';
export type { SessionMirrorOptions } from './session-mirror.ts';
export { transcriptEntry, type TranscriptPlace } from './transcript-entry.ts';
export type { RunTurn, ToolCaller, Turn } from './turn.ts';
export type { ToolDefinition } from './turn-tools.ts';
