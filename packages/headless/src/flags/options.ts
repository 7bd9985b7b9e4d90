import type { Turn } from '@proto/agent';
import type { LaunchFlags } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';

/** A JSON object from a flag, which is parsed but not validated. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The output format: the text of the result (`text`), the result as JSON (`json`), or every message as a line (`stream-json`). */
export type OutputFormat = 'text' | 'json' | 'stream-json';

/** The options of a command line: one member for each given flag, and the prompt. */
export interface HeadlessOptions extends FlagOptions {
  /** The output format. `parseArgv` fills in the default `text`. */
  readonly outputFormat: OutputFormat;
  /** The input format. `parseArgv` fills in the default `text`. */
  readonly inputFormat: 'text' | 'stream-json';
  /** The prompt on the command line. */
  readonly prompt?: string;
}

/** Every flag with the type of its value. If a flag was not given, its member is absent. */
export interface FlagOptions extends Omit<LaunchFlags, 'mcpConfig'> {
  /** Whether `-p` was given. Hosts pass this flag, but it has no effect, because the executable always answers and exits. */
  readonly print?: boolean;
  /** The output format. Default `text`. */
  readonly outputFormat?: OutputFormat;
  /** The input format: a prompt as text, or one message per line. Default `text`. */
  readonly inputFormat?: 'text' | 'stream-json';
  /** Write every message. Required for `stream-json`. With `json`, all messages are written as a list. */
  readonly verbose?: boolean;
  /** A system prompt that replaces the agent's own system prompt. */
  readonly systemPrompt?: string;
  /** A text to append to the system prompt. */
  readonly appendSystemPrompt?: string;
  /** The path of a file with the system prompt. The agent reads the file. */
  readonly systemPromptFile?: string;
  /** Start in the permission mode `bypassPermissions`, unless `permissionMode` is set. Refused if the user is root outside a sandbox. */
  readonly dangerouslySkipPermissions?: boolean;
  /** The remote session to copy, given by its id or its URL. `true` means that the flag had no value, which is refused. */
  readonly teleport?: string | true;
  /** Where session files are stored: in the user's state folder (`own`), or in the folder where published tools look for sessions (`published`). */
  readonly sessionLayout?: 'own' | 'published';
  /** MCP configurations, or the paths of their files. */
  readonly mcpConfig?: readonly (JsonObject | string)[];
  /** Definitions of further agents, by name. */
  readonly agents?: JsonObject;
  /** Send the text of subagents to the host. `runHeadless` ignores this flag. */
  readonly forwardSubagentText?: boolean;
  /** Suggest the next prompt. `runHeadless` ignores this flag. */
  readonly promptSuggestions?: boolean;
  /** Leave out sections of the system prompt that change between runs. `runHeadless` ignores this flag. */
  readonly excludeDynamicSystemPromptSections?: boolean;
  /** Whether the system prompt is recorded once: `on` or `off`. `runHeadless` ignores this flag. */
  readonly systemPromptSnapshot?: 'on' | 'off';
  /** The URL of a remote session. The process runs as its worker. */
  readonly sdkUrl?: string;
  /** The URL of a remote session that mirrors this session. Clients of the remote session can take part in this session. */
  readonly mirror?: string;
  /** Send `auth_status` messages to the host. */
  readonly enableAuthStatus?: boolean;
  /** A name for the purpose of the session. `runHeadless` ignores this flag. */
  readonly workload?: string;
  /** Restore the files to their state at the message with this id. `runHeadless` ignores this flag. */
  readonly rewindFiles?: string;
  /** Run the project's set-up first. `runHeadless` ignores this flag. */
  readonly init?: boolean;
  /** Run the project's maintenance first. `runHeadless` ignores this flag. */
  readonly maintenance?: boolean;
}

/** One turn of an agent executable, with the options of its command line. */
export interface HeadlessTurn extends Turn {
  /** The options of the command line, with defaults. */
  readonly options: HeadlessOptions;
  /** The current settings, which may change while the turn runs. Empty if the agent has no source of settings. */
  readonly settings: JsonObject;
  /**
   * Notifies the host of what the agent is doing, such as `compacting`. `null` means that the activity has ended. Fulfils when the message has been
   * sent.
   */
  setStatus(status: string | null): Promise<void>;
}

/** The implementation of the agent. Like a `RunTurn` of `@proto/agent`, but also receives the command-line options. */
export type HeadlessRunTurn = (turn: HeadlessTurn) => AsyncIterable<WireMessage>;

/** The version of the published agent whose protocol is used. Hosts read it from `-v`, and warn about old versions. */
export const PROTOCOL_VERSION = '2.1.330';
