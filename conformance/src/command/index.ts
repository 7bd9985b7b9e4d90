/**
 * The commands of `sjp conformance` as functions.
 *
 * @packageDocumentation
 */
export {
  type CheckAgentOptions,
  checkAgent,
  checkHost,
  checkServer,
  type CheckHostOptions,
  type CheckServerOptions,
} from './check-sides.ts';
export type { CommandIo } from './io.ts';
export { explainCases, listCases } from './list-cases.ts';
export { type CommandOptions, runConformance } from './run-command.ts';
