/**
 * An ACP agent as an agent executable, in a Node process.
 *
 * @packageDocumentation
 */
export type { ClientFiles } from '../agent/agent-connection.ts';
export { createClientFiles } from './client-files.ts';
export { type AcpAgentOptions, createAcpAgent } from './create-acp-agent.ts';
