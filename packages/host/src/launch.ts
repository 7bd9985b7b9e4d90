import type { LaunchFlags } from '@proto/core';
import { byteLength } from '@proto/core/internal';
import { TransportError } from '@proto/core/transport';

// Slightly less than the lowest limit on the length of a command line in any operating system.
const MAX_PROMPT_ARGUMENT_BYTES = 8 * 1024;

/** How an agent is started. */
export interface LaunchOptions extends LaunchFlags {
  /**
   * Whether the agent keeps the previous content of each file that it changes. The request `rewind_files` works only if this option is on. Default
   * false.
   */
  readonly fileCheckpointing?: boolean;
  /**
   * A prompt to pass as an argument. The agent answers this prompt without reading any input, and exits. The prompt must be shorter than 8 KiB. Do
   * not pass secrets in the prompt, because any user of the machine can read the command line. `query` with `sendPromptVia: 'argument'` passes its
   * prompt in this member.
   */
  readonly prompt?: string;
  /** Further flags, by name without the leading dashes. Use `null` for a flag without a value. */
  readonly extraArgs?: Readonly<Record<string, string | null>>;
}

/** The arguments and environment variables to start an agent with. */
export interface AgentCommand {
  /** The command line arguments, without the name of the program. */
  readonly args: readonly string[];
  /** Variables to add to the environment of the agent. */
  readonly env: Readonly<Record<string, string>>;
}

// Lists that are joined into one value, and flags whose value published hosts pass as a separate argument.
const JOINED = ['fallbackModel', 'betas', 'allowedTools', 'disallowedTools', 'tools', 'settingSources'];
const APART = ['settings', 'managedSettings', 'mcpConfig'];
// The only flag whose name begins with `no-`, and the flags whose names are written in camel case, without dashes.
const NEGATIVE = 'sessionPersistence';
const AS_WRITTEN = ['allowedTools', 'disallowedTools'];

/**
 * Returns the command line and the environment for an agent that a host drives. Has no side effects.
 * @throws {TransportError} `too-large`, for a `prompt` of 8 KiB or more.
 */
export function agentCommandLine(options: LaunchOptions = {}): AgentCommand {
  const { fileCheckpointing, prompt, extraArgs = {}, ...flags } = options;
  const promptBytes = byteLength(prompt ?? '');
  if (promptBytes >= MAX_PROMPT_ARGUMENT_BYTES) {
    const text = `a prompt of ${promptBytes} bytes is too long for the command line, where the limit is ${MAX_PROMPT_ARGUMENT_BYTES}: send the prompt through the input`;
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
      // After `--`, because the prompt may begin with a dash.
      ...(prompt === undefined ? [] : ['--', prompt]),
    ],
    env: {
      CLAUDE_CODE_ENTRYPOINT: 'sdk-sjp',
      // Makes the agent report when it is idle, so that the host need not guess.
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
  // A separate argument that begins with a dash would be read as a flag.
  return isApart && !text.startsWith('-') ? [name, text] : [`${name}=${text}`];
}
