/**
 * The Agent Client Protocol: makes an agent of this protocol available to editors.
 *
 * @packageDocumentation
 */
export { connectEditor, type EditorOptions } from './editor/connect-editor.ts';
export type {
  Conversations,
  EditorAgent,
  EditorRequest,
  EditorSessions,
  ListedConversation,
} from './editor/editor-sessions.ts';
export { type AgentStart, localSessions, type LocalSessionsOptions } from './editor/local-sessions.ts';
