import { appendFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { AgentOptions, RunTurn } from '@proto/agent';
import { isOn, type Variables } from './environment-variables.ts';
import type { HeadlessEnvironment } from './environment.ts';
import { type HeadlessOptions, type HeadlessRunTurn, type HeadlessTurn, PROTOCOL_VERSION } from './flags/options.ts';
import { announcedOf, type SettingsSource } from './flags/settings.ts';
import { sessionMirrorOf } from './sessions/host-transcript.ts';
import type { ReadySession } from './set-up.ts';

/** What becomes of the process. */
export interface ProcessSignals {
  /** It ends now. */
  readonly ended: AbortSignal;
  /** The user interrupts it. */
  readonly interrupted: AbortSignal;
}

/** What the session is told of the command line and the variables of the process. */
export function resolveAgentOptions(
  { runTurn, settings, env = process.env, stderr = process.stderr }: HeadlessEnvironment,
  options: HeadlessOptions,
  {
    sessionId,
    history,
    subagentHistory,
    store,
    transcriptPath,
    takeLoss,
    agentOptions,
    sdkMcpServers,
    started,
  }: ReadySession,
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
    ...agentOptions,
    // The host says whether it wants to know.
    ...(options.enableAuthStatus !== true && { authStatusSource: undefined }),
    handlers: { get_binary_version: () => ({ version: PROTOCOL_VERSION }), ...agentOptions.handlers },
    hookInput: () => ({
      ...(transcriptPath !== undefined && { transcript_path: transcriptPath }),
      ...agentOptions.hookInput?.(),
    }),
    capabilities: (request) => ({ ...announcedOf(settings?.current() ?? {}), ...agentOptions.capabilities?.(request) }),
    init: () => ({
      claude_code_version: PROTOCOL_VERSION,
      cwd: process.cwd(),
      ...announcedOf(settings?.current() ?? {}),
      ...agentOptions.init?.(),
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

/** What the turns of a process share. */
export interface TurnSetting {
  readonly options: HeadlessOptions;
  readonly started: ReadySession['started'];
  readonly takeLoss: ReadySession['takeLoss'] | undefined;
  readonly settings: SettingsSource | undefined;
  /** Aborts when the process ends now. */
  readonly ended: AbortSignal;
}

/** The turn of an agent executable as the session runs it: told of its command line, its settings and the end of its process. */
function headlessTurn(runTurn: HeadlessRunTurn, setting: TurnSetting): RunTurn {
  const { options, settings, started, takeLoss, ended } = setting;
  let isFirst = true;
  return async function* (turn) {
    const notices = await started;
    if (isFirst) yield* notices;
    isFirst = false;
    // Onto the turn, not into a copy of it: what belongs to a turn may be read late.
    const whole = Object.assign(turn, {
      options,
      setStatus: (status: string | null) => turn.emit({ type: 'system', subtype: 'status', status }),
      signal: AbortSignal.any([turn.signal, ended]),
    });
    Object.defineProperty(whole, 'settings', { enumerable: true, get: () => settings?.current() ?? {} });
    yield* runTurn(whole as typeof whole & Pick<HeadlessTurn, 'settings'>);
    const loss = takeLoss?.();
    if (loss !== undefined) yield loss;
  };
}

/** What is told of each message that is read: its type, and nothing of its content. */
export type Diagnostics = (event: { readonly type: string }) => void;

/** Where the debugging flags want a line for each message: a file, stderr, or nowhere. */
function createDiagnostics(options: HeadlessOptions, stderr: Writable): Diagnostics | undefined {
  const { debug, debugFile, debugToStderr } = options;
  if (debugFile !== undefined) {
    // A file that cannot be written stops the start, not a session in its middle.
    appendFileSync(debugFile, '');
    return ({ type }) => appendFileSync(debugFile, line(type));
  }
  if (debug !== undefined || debugToStderr) return ({ type }) => void stderr.write(line(type));
  return undefined;
}

function line(type: string): string {
  return `${new Date().toISOString()} [DEBUG] read a message of type ${JSON.stringify(type)}\n`;
}
