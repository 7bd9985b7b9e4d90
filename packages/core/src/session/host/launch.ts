import { byteLength } from '../../framing/utf8.ts';
import { TransportError } from '../../transport/error.ts';

/** What a prompt as an argument stays below, in bytes. The shortest command line that a system takes is hardly longer. */
export const MAX_PROMPT_ARGUMENT_BYTES = 8 * 1024;

/** How an agent is started: a member for each flag, under its name. One that is left out is not passed. */
export interface LaunchFlags {
  readonly model?: string;
  readonly fallbackModel?: readonly string[];
  readonly maxTurns?: number;
  readonly maxBudgetUsd?: number;
  readonly taskBudget?: number;
  readonly thinking?: 'adaptive' | 'disabled' | 'enabled';
  readonly thinkingDisplay?: 'summarized' | 'omitted';
  readonly maxThinkingTokens?: number;
  readonly effort?: string;
  readonly betas?: readonly string[];
  readonly allowedTools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  /** The base set of tools; `default` is the agent's own. */
  readonly tools?: readonly string[] | 'default';
  readonly permissionMode?: string;
  /** The MCP tool that decides on permissions; `stdio` where `canUseTool` does. */
  readonly permissionPromptTool?: string;
  readonly permissionPrompts?: 'host' | 'none';
  readonly allowDangerouslySkipPermissions?: boolean;
  readonly continue?: boolean;
  /** A session id, a title or the path of a transcript; `true` leaves the choice open. */
  readonly resume?: string | true;
  readonly sessionId?: string;
  readonly forkSession?: boolean;
  readonly resumeSessionAt?: string;
  readonly resumeDropsTurn?: string;
  /** False keeps nothing of the session. */
  readonly sessionPersistence?: boolean;
  readonly sessionMirror?: boolean;
  /** The settings themselves, or the path of their file. Anybody on the machine can read what is passed this way. */
  readonly settings?: Readonly<Record<string, unknown>> | string;
  readonly managedSettings?: Readonly<Record<string, unknown>>;
  readonly settingSources?: readonly ('user' | 'project' | 'local')[];
  readonly addDir?: readonly string[];
  readonly projectConfigRoot?: string;
  /** Paths of files. A configuration goes by `initialize`: it may hold secrets. */
  readonly mcpConfig?: readonly string[];
  readonly strictMcpConfig?: boolean;
  readonly pluginDir?: readonly string[];
  readonly pluginDirNoMcp?: readonly string[];
  readonly agent?: string;
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
  readonly includePartialMessages?: boolean;
  readonly includeHookEvents?: boolean;
  readonly replayUserMessages?: boolean;
  /** Take in what `initialize` brings along before anything else. Passed where that holds servers or plugins. */
  readonly awaitInitialize?: boolean;
  readonly debug?: string | true;
  readonly debugFile?: string;
  readonly debugToStderr?: boolean;
}

/** How an agent is started. */
export interface LaunchOptions extends LaunchFlags {
  /** Let the agent keep what files were before it changed them; `rewind_files` needs it. */
  readonly fileCheckpointing?: boolean;
  /**
   * A prompt as an argument: the agent answers it, reads no input and leaves. Less than `MAX_PROMPT_ARGUMENT_BYTES`, and nothing that
   * others must not read: anybody on the machine can. `query` passes it where it is asked to.
   */
  readonly prompt?: string;
  /** Further flags, without their dashes; `null` for one that has no value. */
  readonly extraArgs?: Readonly<Record<string, string | null>>;
}

/** What to start an agent with. */
export interface Launch {
  readonly args: readonly string[];
  /** Variables to add to the environment. */
  readonly env: Readonly<Record<string, string>>;
}

// Lists that go into one value, and values that published hosts pass as a word of their own.
const JOINED = ['fallbackModel', 'betas', 'allowedTools', 'disallowedTools', 'tools', 'settingSources'];
const APART = ['settings', 'managedSettings', 'mcpConfig'];
// The one flag that is named after what it takes away, and those that are not written with dashes.
const NEGATIVE = 'sessionPersistence';
const AS_WRITTEN = ['allowedTools', 'disallowedTools'];

/** The command line and the environment of an agent that is driven by a host. Throws for a prompt that is too long for one. Pure. */
export function launchOf(options: LaunchOptions = {}): Launch {
  const { fileCheckpointing, prompt, extraArgs = {}, ...flags } = options;
  const promptBytes = byteLength(prompt ?? '');
  if (promptBytes >= MAX_PROMPT_ARGUMENT_BYTES) {
    const text = `a prompt of ${promptBytes} bytes is no argument, limit ${MAX_PROMPT_ARGUMENT_BYTES}: leave it to the input`;
    throw new TransportError('too-large', text);
  }
  return {
    args: [
      '--output-format',
      'stream-json',
      '--verbose',
      ...(prompt === undefined ? ['--input-format', 'stream-json'] : ['--print']),
      ...Object.entries(flags).flatMap(([name, value]) => flagsOf(name, value)),
      ...Object.entries(extraArgs).flatMap(([name, value]) => flag(`--${name}`, value ?? true, true)),
      // Behind what ends the flags: it may begin with a dash.
      ...(prompt === undefined ? [] : ['--', prompt]),
    ],
    env: {
      CLAUDE_CODE_ENTRYPOINT: 'sdk-sjp',
      // So that the end of a session's work is known, and not guessed.
      CLAUDE_CODE_SDK_READS_SESSION_STATE: '1',
      ...(fileCheckpointing && { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: 'true' }),
    },
  };
}

function flagsOf(name: string, value: unknown): readonly string[] {
  const dashed = AS_WRITTEN.includes(name) ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (name === NEGATIVE) return value === false ? [`--no-${dashed}`] : [];
  const values: readonly unknown[] = Array.isArray(value) && !JOINED.includes(name) ? value : [value];
  return values.flatMap((one) => flag(`--${dashed}`, one, APART.includes(name)));
}

function flag(name: string, value: unknown, isApart: boolean): readonly string[] {
  if (value === undefined || value === false) return [];
  if (value === true) return [name];
  const text = Array.isArray(value) ? value.join() : typeof value === 'string' ? value : JSON.stringify(value);
  // A word that begins with a dash would be taken for a flag.
  return isApart && !text.startsWith('-') ? [name, text] : [`${name}=${text}`];
}
