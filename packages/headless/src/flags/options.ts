import type { Turn } from '@proto/agent';
import type { LaunchFlags } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';

/** A JSON object in a flag: parsed, not validated. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** How the output is written: the text of the result, the result as JSON, or every message as a line. */
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

/** Every flag with the type of its value. A flag that was not given has no member. */
export interface FlagOptions extends Omit<LaunchFlags, 'mcpConfig'> {
  /** Whether `-p` was given. Hosts pass it; it has no effect, because the executable always answers and exits. */
  readonly print?: boolean;
  /** The output format. Default `text`. */
  readonly outputFormat?: OutputFormat;
  /** The input format: a prompt as text, or one message per line. Default `text`. */
  readonly inputFormat?: 'text' | 'stream-json';
  /** Write every message: required for `stream-json`; with `json`, all messages are written as a list. */
  readonly verbose?: boolean;
  /** The system prompt, in place of the agent's own. */
  readonly systemPrompt?: string;
  /** A text to add to the system prompt. */
  readonly appendSystemPrompt?: string;
  /** The path of a file with the system prompt. The agent reads the file. */
  readonly systemPromptFile?: string;
  /** Begin in the permission mode `bypassPermissions`, unless `permissionMode` is set. Refused as root outside a sandbox. */
  readonly dangerouslySkipPermissions?: boolean;
  /** The remote session to copy: its id, or its URL. `true`, a flag without a value, is refused. */
  readonly teleport?: string | true;
  /** Where session files are stored: `own` is the user's state folder, `published` the folder where published tools look for sessions. */
  readonly sessionLayout?: 'own' | 'published';
  /** MCP configurations, or the paths of their files. */
  readonly mcpConfig?: readonly (JsonObject | string)[];
  /** Definitions of further agents, by name. */
  readonly agents?: JsonObject;
  /** Send the host the text of subagents. `runHeadless` ignores it. */
  readonly forwardSubagentText?: boolean;
  /** Suggest the next prompt. `runHeadless` ignores it. */
  readonly promptSuggestions?: boolean;
  /** Leave out sections of the system prompt that change between runs. `runHeadless` ignores it. */
  readonly excludeDynamicSystemPromptSections?: boolean;
  /** Record the system prompt once. `runHeadless` ignores it. */
  readonly systemPromptSnapshot?: boolean;
  /** The URL of a remote session. The process runs as its worker. */
  readonly sdkUrl?: string;
  /** The URL of a remote session that mirrors this session, and whose clients take part. */
  readonly mirror?: string;
  /** Send the host `auth_status` messages. */
  readonly enableAuthStatus?: boolean;
  /** A name for the purpose of the session. `runHeadless` ignores it. */
  readonly workload?: string;
  /** The id of a message whose file states are to be restored. `runHeadless` ignores it. */
  readonly rewindFiles?: string;
  /** Run the set-up of the project first. `runHeadless` ignores it. */
  readonly init?: boolean;
  /** Run the upkeep of the project first. `runHeadless` ignores it. */
  readonly maintenance?: boolean;
}

/** One turn of an agent executable, with the options of its command line. */
export interface HeadlessTurn extends Turn {
  /** The options of the command line, with defaults. */
  readonly options: HeadlessOptions;
  /** The present settings, which may change while the turn runs; empty without a source of settings. */
  readonly settings: JsonObject;
  /** Notifies the host of what the agent does, such as `compacting`. `null` means that this is over. Fulfils when the message is sent. */
  setStatus(status: string | null): Promise<void>;
}

/** The agent: a `RunTurn` of `@proto/agent` that also gets the options of the command line. */
export type HeadlessRunTurn = (turn: HeadlessTurn) => AsyncIterable<WireMessage>;

/** The version of the agent whose protocol is spoken. Hosts read it from `-v`, and warn about old versions. */
export const PROTOCOL_VERSION = '2.1.330';
