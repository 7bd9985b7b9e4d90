export type { AgentMessage } from '@proto/core/internal';
export { createHostSession } from './host-session.ts';
export { asUnsupportedCapability, type UnsupportedCapability } from './capabilities.ts';
export type { Hook, HookContext, HookMatcher, Hooks } from './hooks.ts';
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
export type { HostRequestAnswer, HostRequestSubtype } from './host-requests.ts';
export { asInvalidMessage, type InvalidMessage } from './invalid-message.ts';
export { type InputState, MAX_SILENCE_BEFORE_IDLE_MS, mayEndInput } from './input-end.ts';
export type { InProcessMcpServer, McpTransport } from './mcp-link.ts';
export type { InProcessMcpServers } from './mcp-servers.ts';
export {
  type Launch,
  type LaunchFlags,
  launchOf,
  type LaunchOptions,
  MAX_PROMPT_ARGUMENT_BYTES,
} from './launch.ts';
export type { PromptOutcome, PromptState, SentPrompt } from './prompt-delivery.ts';
export type { OnDisconnect } from './on-disconnect.ts';
export {
  DEFAULT_EXIT_GRACE_MS,
  type HostOptions,
  type PromptMessage,
  query,
  type QueryOptions,
  withHost,
} from './query.ts';
export { createSessionFollower, type SessionFollower } from './session-follower.ts';
export {
  DEFAULT_MAX_FOLLOWED_PROMPTS,
  INITIAL_SESSION_STATE,
  type SessionEvent,
  type SessionState,
  trackSession,
  type TurnOutcome,
} from './session-tracker.ts';
export {
  INITIAL_STREAM_REPORT,
  reportEnd,
  reportMessage,
  type StreamIssue,
  type StreamReport,
} from './stream-report.ts';
export { createTextAssembler, type TextAssembler } from './text-assembler.ts';
export type { HostLiveness, Silence, WatchdogOptions } from './watchdog.ts';
export { INITIAL_USAGE, type SessionUsage, trackUsage } from './usage.ts';
