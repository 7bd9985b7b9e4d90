import type { AgentOptions } from '@proto/agent';
import { createDiagnostics } from './diagnostics.ts';
import type { HeadlessEnvironment } from './environment.ts';
import { headlessTurn } from './headless-turn.ts';
import { sessionMirrorOf } from './host-transcript.ts';
import type { HeadlessOptions } from './options.ts';
import { PROTOCOL_VERSION } from './protocol-version.ts';
import type { ReadySession } from './set-up.ts';
import { announcedOf } from './settings-source.ts';
import { isOn, type Variables } from './variables.ts';

/** What becomes of the process. */
export interface ProcessSignals {
  /** It ends now. */
  readonly ended: AbortSignal;
  /** The user interrupts it. */
  readonly interrupted: AbortSignal;
}

/** What the session is told of the command line and the variables of the process. */
export function agentOptions(
  { runTurn, settings, env = process.env, stderr = process.stderr }: HeadlessEnvironment,
  options: HeadlessOptions,
  { sessionId, history, subagentHistory, store, transcriptPath, takeLoss, seams, sdkMcpServers, started }: ReadySession,
  { ended, interrupted }: ProcessSignals,
): AgentOptions {
  const { model, permissionPrompts, includePartialMessages = false, replayUserMessages = false } = options;
  const permissionMode = startMode(options);
  const stateEvents = sessionStateEvents(env);
  const diagnostics = createDiagnostics(options, stderr);
  const sessionMirror = sessionMirrorOf(options, env, sessionId);
  return {
    runTurn: headlessTurn(runTurn, { options, settings, started, takeLoss, ended }),
    interrupted,
    sessionId,
    history,
    ...(subagentHistory !== undefined && { subagentHistory }),
    sdkMcpServers,
    includePartialMessages,
    replayUserMessages,
    permissionPromptTool: options.permissionPromptTool,
    ...(permissionPrompts === 'none' && { permissionPrompts }),
    ...(store !== undefined && { sessionStore: store }),
    // What the command line asks for is not what the agent has by default.
    ...(model !== undefined && { model, defaultModel: 'default' }),
    ...(permissionMode !== undefined && { permissionMode }),
    ...(stateEvents !== undefined && { sessionStateEvents: stateEvents }),
    ...(diagnostics !== undefined && { diagnostics }),
    ...(sessionMirror !== undefined && { sessionMirror }),
    ...seams,
    // The host says whether it wants to know.
    ...(options.enableAuthStatus !== true && { authStatusSource: undefined }),
    handlers: { get_binary_version: () => ({ version: PROTOCOL_VERSION }), ...seams.handlers },
    hookInput: () => ({
      ...(transcriptPath !== undefined && { transcript_path: transcriptPath }),
      ...seams.hookInput?.(),
    }),
    capabilities: (request) => ({ ...announcedOf(settings?.current() ?? {}), ...seams.capabilities?.(request) }),
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
