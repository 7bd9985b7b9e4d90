export { type AskUser, createAskUser } from './ask/ask-user.ts';
export { createPermissions, type Permissions, type PermissionsOptions } from './ask/permissions.ts';
export { createCursorFile } from './connect/cursor-file.ts';
export { createRecorder } from './run/recorder.ts';
export { LAUNCH } from './run/run-agent.ts';
export type { RunProcess } from './run/run-plan.ts';
export { pieceOf } from './view/outputs.ts';
export { createPaint, type Paint } from './view/terminal-text.ts';
export { createTextView, type TextView } from './view/text-view.ts';
