export { createHostSession } from '../host-session.ts';
export type { Hook, HookContext, HookMatcher, Hooks } from './hooks.ts';
export {
  DEFAULT_INITIALIZE_TIMEOUT_MS,
  type HostCloseOptions,
  type HostCounters,
  type HostSession,
  type HostSessionOptions,
  type InitializeMembers,
  type InterruptReceipt,
} from './host-options.ts';
export type { HostRequestAnswer, HostRequestArguments, HostRequestSubtype } from './host-requests.ts';
export { type InputState, mayEndInput } from './input-end.ts';
export type { InProcessMcpServer, McpTransport } from './mcp-link.ts';
export type { InProcessMcpServers } from './mcp-servers.ts';
export type { SessionState, TurnOutcome } from './session-tracker.ts';
