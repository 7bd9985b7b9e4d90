import type { AgentOptions } from '@proto/core';
import { createDiagnostics } from './diagnostics.ts';
import type { HeadlessEnvironment } from './environment.ts';
import type { HeadlessOptions } from './options.ts';
import { type ProcessSignals, processTurn } from './process-turn.ts';
import { PROTOCOL_VERSION } from './protocol-version.ts';

/** What the session is told of the command line and the variables of the process. */
export function agentOptions(
  { runTurn, env = process.env, stderr = process.stderr }: HeadlessEnvironment,
  options: HeadlessOptions,
  signals: ProcessSignals,
): AgentOptions {
  const {
    sessionId,
    model,
    permissionPromptTool,
    includePartialMessages = false,
    replayUserMessages = false,
  } = options;
  const permissionMode = startMode(options);
  const stateEvents = sessionStateEvents(env);
  const diagnostics = createDiagnostics(options, stderr);
  return {
    runTurn: processTurn(runTurn, options, signals),
    includePartialMessages,
    replayUserMessages,
    permissionPromptTool,
    init: () => ({ claude_code_version: PROTOCOL_VERSION, cwd: process.cwd() }),
    ...(sessionId !== undefined && { sessionId }),
    ...(model !== undefined && { model }),
    ...(permissionMode !== undefined && { permissionMode }),
    ...(stateEvents !== undefined && { sessionStateEvents: stateEvents }),
    ...(diagnostics !== undefined && { diagnostics }),
  };
}

function startMode({ permissionMode, dangerouslySkipPermissions }: HeadlessOptions): string | undefined {
  if (permissionMode === undefined) return dangerouslySkipPermissions ? 'bypassPermissions' : undefined;
  // What recent hosts call the default mode.
  return permissionMode === 'manual' ? 'default' : permissionMode;
}

/** Asked for by a user for everybody, or by a host which keeps them to itself. */
function sessionStateEvents(env: Readonly<Record<string, string | undefined>>): 'all' | 'host-only' | undefined {
  if (isOn(env['CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS'])) return 'all';
  return isOn(env['CLAUDE_CODE_SDK_READS_SESSION_STATE']) ? 'host-only' : undefined;
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && ['1', 'true', 'yes', 'on'].includes(value.toLowerCase());
}
