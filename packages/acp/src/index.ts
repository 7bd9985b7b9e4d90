/**
 * The Agent Client Protocol: makes an agent of this protocol available to editors.
 *
 * @packageDocumentation
 */
export {
  type AgentStart,
  connectEditor,
  type EditorOptions,
  type StoredSession,
  type StoredSessions,
} from './editor/connect-editor.ts';
