import type { AgentOptions } from '@proto/core';
import { createDiagnostics } from './diagnostics.ts';
import type { HeadlessEnvironment } from './environment.ts';
import type { HeadlessOptions } from './options.ts';
import { type ProcessSignals, processTurn } from './process-turn.ts';
import { isOn, type Variables } from './variables.ts';
import { PROTOCOL_VERSION } from './protocol-version.ts';
import type { ReadySession } from './set-up.ts';
import { announcedOf } from './settings-source.ts';

/** What the session is told of the command line and the variables of the process. */
export function agentOptions(
  { runTurn, settings, env = process.env, stderr = process.stderr }: HeadlessEnvironment,
  options: HeadlessOptions,
  { sessionId, history, store, takeLoss, seams, started }: ReadySession,
  signals: ProcessSignals,
): AgentOptions {
  const {
    model,
    permissionPrompts,
    permissionPromptTool,
    includePartialMessages = false,
    replayUserMessages = false,
  } = options;
  const permissionMode = startMode(options);
  const stateEvents = sessionStateEvents(env);
  const diagnostics = createDiagnostics(options, stderr);
  return {
    runTurn: processTurn(runTurn, { options, settings, started, takeLoss }, signals),
    sessionId,
    history,
    includePartialMessages,
    replayUserMessages,
    // Nobody is asked then, so what would be asked is denied.
    permissionPromptTool: permissionPrompts === 'none' ? undefined : permissionPromptTool,
    ...(store !== undefined && { sessionStore: store }),
    ...(model !== undefined && { model }),
    ...(permissionMode !== undefined && { permissionMode }),
    ...(stateEvents !== undefined && { sessionStateEvents: stateEvents }),
    ...(diagnostics !== undefined && { diagnostics }),
    ...seams,
    // The host means to end its input next, which is what ends the session.
    handlers: { end_session: () => undefined, ...seams.handlers },
    init: () => ({
      claude_code_version: PROTOCOL_VERSION,
      cwd: process.cwd(),
      ...announcedOf(settings?.current() ?? {}),
      ...seams.init?.(),
    }),
  };
}

function startMode({ permissionMode, dangerouslySkipPermissions }: HeadlessOptions): string | undefined {
  if (permissionMode === undefined) return dangerouslySkipPermissions ? 'bypassPermissions' : undefined;
  // What recent hosts call the default mode.
  return permissionMode === 'manual' ? 'default' : permissionMode;
}

/** Asked for by a user for everybody, or by a host which keeps them to itself. */
function sessionStateEvents(env: Variables): 'all' | 'host-only' | undefined {
  if (isOn(env['CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS'])) return 'all';
  return isOn(env['CLAUDE_CODE_SDK_READS_SESSION_STATE']) ? 'host-only' : undefined;
}
