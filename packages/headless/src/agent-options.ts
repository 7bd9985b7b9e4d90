import { appendFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type {
  AgentDiagnostic,
  AgentOptions,
  AgentOutputOptions,
  AgentPermissionOptions,
  AgentSessionOptions,
  RunTurn,
} from '@proto/agent';
import { isOn, type Variables } from './environment-variables.ts';
import type { HeadlessEnvironment } from './environment.ts';
import { type HeadlessOptions, type HeadlessRunTurn, type HeadlessTurn, PROTOCOL_VERSION } from './flags/options.ts';
import { announcedOf, type SettingsSource } from './flags/settings.ts';
import { sessionMirrorOf } from './sessions/host-transcript.ts';
import type { ReadySession } from './set-up.ts';

export interface ProcessSignals {
  /** Aborts when the process must end immediately, for example after SIGTERM. */
  readonly ended: AbortSignal;
  /** Aborts when the user interrupts the process. */
  readonly interrupted: AbortSignal;
}

/** The agent's own options take precedence over the command line and the variables. */
export function resolveAgentOptions(
  { runTurn, settings, process: { env = process.env, stderr = process.stderr } = {} }: HeadlessEnvironment,
  options: HeadlessOptions,
  ready: ReadySession,
  { ended, interrupted: stopSignal }: ProcessSignals,
): AgentOptions {
  const { transcriptPath, takeLoss, agentOptions, sdkMcpServers, started } = ready;
  const { model } = options;
  const onMessageType = createDiagnostics(options, stderr);
  return {
    runTurn: headlessTurn(runTurn, { options, settings, started, takeLoss, ended }),
    stopSignal,
    ...(onMessageType !== undefined && { onMessageType }),
    ...agentOptions,
    session: { ...sessionOf(ready, options, env), ...agentOptions.session },
    permissions: { ...permissionsOf(options), ...agentOptions.permissions },
    mcp: { sdkServers: sdkMcpServers, ...agentOptions.mcp },
    models: { ...(model !== undefined && { initial: model, default: 'default' }), ...agentOptions.models },
    output: {
      ...outputOf(options, env),
      ...agentOptions.output,
      // The sign-in status is sent only to a host that requests it with the flag.
      ...(options.enableAuthStatus !== true && { authStatus: undefined }),
    },
    handlers: { get_binary_version: () => ({ version: PROTOCOL_VERSION }), ...agentOptions.handlers },
    hookDefaults: () => ({
      ...(transcriptPath !== undefined && { transcript_path: transcriptPath }),
      ...agentOptions.hookDefaults?.(),
    }),
    initializeResponse: (request) => ({
      ...announcedOf(settings?.current() ?? {}),
      ...agentOptions.initializeResponse?.(request),
    }),
    initMessage: () => ({
      claude_code_version: PROTOCOL_VERSION,
      cwd: process.cwd(),
      ...announcedOf(settings?.current() ?? {}),
      ...agentOptions.initMessage?.(),
    }),
  };
}

function sessionOf(ready: ReadySession, options: HeadlessOptions, env: Variables): AgentSessionOptions {
  const { sessionId: id, history, subagentHistory, store } = ready;
  const mirror = sessionMirrorOf(options, env, id);
  return {
    id,
    history,
    ...(subagentHistory !== undefined && { subagentHistory }),
    ...(store !== undefined && { store }),
    ...(mirror !== undefined && { mirror }),
  };
}

function permissionsOf(options: HeadlessOptions): AgentPermissionOptions {
  const { permissionPromptTool: promptTool, permissionPrompts: prompts } = options;
  const mode = startMode(options);
  return { promptTool, ...(prompts === 'none' && { prompts }), ...(mode !== undefined && { mode }) };
}

function outputOf(options: HeadlessOptions, env: Variables): AgentOutputOptions {
  const { includePartialMessages: partialMessages = false, replayUserMessages = false } = options;
  const stateEvents = stateEventsOf(env);
  return { partialMessages, replayUserMessages, ...(stateEvents !== undefined && { stateEvents }) };
}

function startMode({ permissionMode, dangerouslySkipPermissions }: HeadlessOptions): string | undefined {
  if (permissionMode === undefined) return dangerouslySkipPermissions ? 'bypassPermissions' : undefined;
  // Recent hosts call the default mode `manual`.
  return permissionMode === 'manual' ? 'default' : permissionMode;
}

/** Two environment variables determine the result. `undefined` means that nobody receives the state. */
function stateEventsOf(env: Variables): 'all' | 'host-only' | undefined {
  if (isOn(env['CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS'])) return 'all';
  return isOn(env['CLAUDE_CODE_SDK_READS_SESSION_STATE']) ? 'host-only' : undefined;
}

export interface TurnSetting {
  readonly options: HeadlessOptions;
  readonly started: ReadySession['started'];
  readonly takeLoss: ReadySession['takeLoss'] | undefined;
  readonly settings: SettingsSource | undefined;
  /** Aborts when the process must end immediately, for example after SIGTERM. */
  readonly ended: AbortSignal;
}

/** Adds the options, the settings, and a signal for the end of the process. */
function headlessTurn(runTurn: HeadlessRunTurn, setting: TurnSetting): RunTurn {
  const { options, settings, started, takeLoss, ended } = setting;
  let isFirst = true;
  return async function* (turn) {
    const notices = await started;
    if (isFirst) yield* notices;
    isFirst = false;
    // The members are added to the turn itself, not to a copy, because some members of a turn change while it runs.
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

/** Writes a debug line without the content of the message. */
export type Diagnostics = (event: AgentDiagnostic) => void;

/** Returns `undefined` if no flag requests debug lines. */
function createDiagnostics(options: HeadlessOptions, stderr: Writable): Diagnostics | undefined {
  const { debug, debugFile, debugToStderr } = options;
  if (debugFile !== undefined) {
    // Opened now, so that an error with the file prevents the start instead of ending a running session.
    appendFileSync(debugFile, '');
    return (event) => appendFileSync(debugFile, line(event));
  }
  if (debug !== undefined || debugToStderr) return (event) => void stderr.write(line(event));
  return undefined;
}

function line({ type, dropped }: AgentDiagnostic): string {
  const what = dropped === undefined ? 'read a' : DROPPED[dropped];
  return `${new Date().toISOString()} [DEBUG] ${what} message of type ${JSON.stringify(type)}\n`;
}

const DROPPED = { duplicate: 'dropped a duplicate', late: 'dropped a late or duplicate' } as const;
