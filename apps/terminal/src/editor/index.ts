/**
 * The commands `sjp acp` and `sjp acp-agent`: an editor, or a host, that has started this process, and the Agent Client Protocol.
 *
 * @packageDocumentation
 */
export { createClientFiles } from './client-files.ts';
export { runAcpAgent, type RunAcpAgentOptions } from './run-acp-agent.ts';
export { type EditorProcess, serveEditor, type ServeEditorOptions } from './serve-editor.ts';
export { serverSessionsFor, type ServerSessionsOptions } from './server-sessions.ts';
