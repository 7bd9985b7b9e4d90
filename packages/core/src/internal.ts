/** What the packages of this project share among themselves. No promises: any version may change it. */
export { requestIdOf } from './session/control-frames.ts';
export { JsonCursor, JsonCursorError, type PassedValue } from './json/json-cursor.ts';
export { judgeStdin } from './session/agent/stdin-rules.ts';
