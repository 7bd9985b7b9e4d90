/**
 * An ACP agent as an agent executable, in a Node process.
 *
 * @packageDocumentation
 */
export type { ClientFiles } from '../agent/connected-agent.ts';
export { type AcpAgentOptions, createAcpAgent } from './create-acp-agent.ts';
