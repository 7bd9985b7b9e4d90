/**
 * Checks whether an agent, a host or a session server conforms to the stream-json agent protocol.
 *
 * @packageDocumentation
 */
export type { AgentOptions } from './agent/agent-under-test.ts';
export { PromptMapError } from './agent/prompt-map.ts';
export { testAgent, type TestAgentOptions } from './agent/test-agent.ts';
export type { Case, Level, Requirement, Side, Suite } from './cases/case-schema.ts';
export { type Profile, profileOf } from './cases/profiles.ts';
export { findRequirement, loadSuite, selectCases } from './cases/suite.ts';
export { testHost, type TestHostOptions } from './host/test-host.ts';
export {
  BaselineError,
  type ExpectedCase,
  type ExpectedFailure,
  type ExpectedRule,
  parseBaseline,
} from './results/baseline.ts';
export { createReport, exitCodeOf } from './results/report.ts';
export type {
  BrokenAsExpected,
  CaseResult,
  Counts,
  Failure,
  Finding,
  Report,
  Verdict,
} from './results/result.ts';
export { parseServerProfile, type ServerProfile, ServerProfileError } from './server/server-profile.ts';
export { testServer, type TestServerOptions } from './server/test-server.ts';
