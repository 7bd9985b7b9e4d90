/**
 * Serves an editor over the standard streams of a Node process.
 *
 * @packageDocumentation
 */
export { type EditorProcess, serveEditor, type ServeEditorOptions } from './serve-editor.ts';
