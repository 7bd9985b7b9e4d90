export type { AgentMessage } from '@proto/core/internal';
export { createHostSession } from './host-session.ts';
export { asUnsupportedCapability, type UnsupportedCapability } from './handshake/capabilities.ts';
export type { Hook, HookContext, HookMatcher, Hooks } from './requests/hooks.ts';
export {
  DEFAULT_INITIALIZE_TIMEOUT_MS,
  type HostCloseOptions,
  type HostCounters,
  type HostSession,
  type HostSessionOptions,
  type InitializeMembers,
  type InterruptOptions,
  type InterruptReceipt,
} from './host-options.ts';
export type { HostRequestAnswer, HostRequestSubtype } from './requests/host-requests.ts';
export { asInvalidMessage, type InvalidMessage } from './messages/invalid-message.ts';
export { type InputState, MAX_SILENCE_BEFORE_IDLE_MS, mayEndInput } from './prompts/input-end.ts';
export type { InProcessMcpServer, McpTransport } from './mcp/mcp-link.ts';
export type { InProcessMcpServers } from './mcp/mcp-servers.ts';
export {
  type Launch,
  type LaunchFlags,
  launchOf,
  type LaunchOptions,
  MAX_PROMPT_ARGUMENT_BYTES,
} from './launch.ts';
export type { PromptOutcome, PromptState, SentPrompt } from './prompts/prompt-delivery.ts';
export type { OnDisconnect } from './requests/on-disconnect.ts';
export {
  DEFAULT_EXIT_GRACE_MS,
  type HostOptions,
  type PromptMessage,
  query,
  type QueryOptions,
  withHost,
} from './query.ts';
export { createSessionFollower, type SessionFollower } from './state/session-follower.ts';
export {
  DEFAULT_MAX_FOLLOWED_PROMPTS,
  INITIAL_SESSION_STATE,
  type SessionEvent,
  type SessionState,
  trackSession,
  type TurnOutcome,
} from './state/session-tracker.ts';
export {
  INITIAL_STREAM_REPORT,
  reportEnd,
  reportMessage,
  type StreamIssue,
  type StreamReport,
} from './state/stream-report.ts';
export { createTextAssembler, type TextAssembler } from './messages/text-assembler.ts';
export type { HostLiveness, Silence, WatchdogOptions } from './state/watchdog.ts';
export { INITIAL_USAGE, type SessionUsage, trackUsage } from './state/usage.ts';
