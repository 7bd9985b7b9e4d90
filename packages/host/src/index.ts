export type { AgentMessage } from '@proto/core/internal';
export { InvalidMessageError, UnsupportedCapabilityError } from './errors.ts';
export type { Hook, Hooks } from './requests/hooks.ts';
export type {
  HostSession,
  HostSessionOptions,
  InterruptReceipt,
} from './host-options.ts';
export type { HostRequestSubtype } from './requests/host-requests.ts';
export { createHostSession } from './host-session.ts';
export { agentCommandLine, type Launch, type LaunchOptions } from './launch.ts';
export type { InProcessMcpServer, McpTransport } from './mcp/mcp-link.ts';
export { createTextAssembler, type TextAssembler } from './messages/text-assembler.ts';
export type { PromptOutcome, PromptState, SentPrompt } from './prompts/prompt-delivery.ts';
export { type HostOptions, query, type QueryOptions, withHost } from './query.ts';
export { createSessionFollower, type SessionFollower } from './state/session-follower.ts';
export type { SessionEvent, SessionState } from './state/session-tracker.ts';
export type { StreamReport } from './state/stream-report.ts';
export type { SessionUsage } from './state/usage.ts';
