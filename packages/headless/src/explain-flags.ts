import { FLAGS } from './flags.ts';
import type { FlagOptions } from './options.ts';

/** What works, or is refused, whatever agent runs; all else is up to the agent's `runTurn`. */
const WORKING: ReadonlySet<string> = new Set<keyof FlagOptions>([
  'print',
  'outputFormat',
  'inputFormat',
  'verbose',
  'model',
  'permissionMode',
  'permissionPromptTool',
  'dangerouslySkipPermissions',
  'sdkUrl',
  'mirror',
  'managedSettings',
  'sessionId',
  'resume',
  'continue',
  'forkSession',
  'resumeSessionAt',
  'resumeDropsTurn',
  'sessionPersistence',
  'sessionMirror',
  'teleport',
  'permissionPrompts',
  'mcpConfig',
  'includePartialMessages',
  'replayUserMessages',
  'debug',
  'debugFile',
  'debugToStderr',
  'enableAuthStatus',
]);

/** The text of `--explain-flags`: the flags that are taken without effect, by an agent that reads some options itself. */
export function explainFlags(read: readonly (keyof FlagOptions)[] = []): string {
  const idle = Object.entries(FLAGS).filter(([name]) => !WORKING.has(name) && !read.some((member) => member === name));
  return ['Accepted, but without effect here:', ...idle.map(([, { notation }]) => `  ${notation}`), ''].join('\n');
}
