/**
 * Both directions over the standard streams of a Node process: an agent for an editor, and an ACP agent for a host.
 *
 * @packageDocumentation
 */
export type { ClientFiles } from '../agent/agent-connection.ts';
export { createClientFiles } from './client-files.ts';
export { type AcpAgentOptions, createAcpAgent } from './create-acp-agent.ts';
export { runAcpAgent, type RunAcpAgentOptions } from './run-acp-agent.ts';
export { type EditorProcess, serveEditor, type ServeEditorOptions } from './serve-editor.ts';
