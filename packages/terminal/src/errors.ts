/** What errors of agents and of sessions say at a terminal, and their exit codes. */
export { ConnectError } from './connect/connect-error.ts';
export { missingAgent } from './errors/missing-agent.ts';
