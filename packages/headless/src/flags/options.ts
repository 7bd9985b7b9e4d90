import type { Turn } from '@proto/agent';
import type { LaunchFlags } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';

/** A JSON object in a flag: parsed, not validated. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** How the output is written: the text of the result, the result as JSON, or every message as a line. */
export type OutputFormat = 'text' | 'json' | 'stream-json';

/** The options of a command line: one member for each flag, by its name. A flag that was not given has no member. */
export interface HeadlessOptions extends FlagOptions {
  readonly outputFormat: OutputFormat;
  readonly inputFormat: 'text' | 'stream-json';
  /** The positional prompt. */
  readonly prompt?: string;
}

/** Every flag with the type of its value. */
export interface FlagOptions extends Omit<LaunchFlags, 'mcpConfig'> {
  readonly print?: boolean;
  readonly outputFormat?: OutputFormat;
  readonly inputFormat?: 'text' | 'stream-json';
  readonly verbose?: boolean;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  readonly systemPromptFile?: string;
  readonly dangerouslySkipPermissions?: boolean;
  readonly teleport?: string | true;
  /** Where session files lie: in the state folder of this project, or where published tools look for the sessions of an agent. */
  readonly sessionLayout?: 'own' | 'published';
  /** Each is a configuration, or the path of its file. */
  readonly mcpConfig?: readonly (JsonObject | string)[];
  readonly agents?: JsonObject;
  readonly forwardSubagentText?: boolean;
  readonly promptSuggestions?: boolean;
  readonly excludeDynamicSystemPromptSections?: boolean;
  readonly systemPromptSnapshot?: boolean;
  readonly sdkUrl?: string;
  readonly mirror?: string;
  readonly enableAuthStatus?: boolean;
  readonly workload?: string;
  readonly rewindFiles?: string;
  readonly init?: boolean;
  readonly maintenance?: boolean;
}

/** One turn of an agent executable, with the options of its command line. */
export interface HeadlessTurn extends Turn {
  readonly options: HeadlessOptions;
  /** The present settings, which may change while the turn runs; empty without a source of settings. */
  readonly settings: JsonObject;
  /** Tells the host what the agent does, such as `compacting`. `null` tells that it is done. */
  setStatus(status: string | null): Promise<void>;
}

/** The agent: a `RunTurn` of `@proto/agent` that also gets the options of the command line. */
export type HeadlessRunTurn = (turn: HeadlessTurn) => AsyncIterable<WireMessage>;

/** The version of the agent whose protocol is spoken. Hosts read it from `-v`, and warn about old versions. */
export const PROTOCOL_VERSION = '2.1.330';
