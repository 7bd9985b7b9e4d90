import type { Turn } from '@proto/agent';
import type { WireMessage } from '@proto/core/framing';
import type { LaunchFlags } from '@proto/core/internal';

/** A JSON object as a flag holds it: parsed, not validated. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** How the output is written: the text of the result, the result as JSON, or every message as a line. */
export type OutputFormat = 'text' | 'json' | 'stream-json';

/** What the command line asks for: a member per flag, under the name of the flag. A flag that was not given is left out. */
export interface HeadlessOptions extends FlagOptions {
  readonly outputFormat: OutputFormat;
  readonly inputFormat: 'text' | 'stream-json';
  /** The positional prompt. */
  readonly prompt?: string;
}

/** Every flag with the type of its value: those that hosts of ours pass, and those that are for others. */
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
  /** Each a configuration itself, or the path of its file. */
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

/** One turn of an agent executable: with what its command line asks for. */
export interface HeadlessTurn extends Turn {
  readonly options: HeadlessOptions;
  /** As they are now, also while the turn runs; empty without a source of settings. */
  readonly settings: JsonObject;
  /** Tells the host what goes on, such as `compacting`; `null` that it is over. */
  setStatus(status: string | null): Promise<void>;
}

/** The agent itself, as `RunTurn` of `@proto/core`, with the options of the command line at hand. */
export type HeadlessRunTurn = (turn: HeadlessTurn) => AsyncIterable<WireMessage>;

/** The agent version whose protocol is spoken. Hosts read it from `-v` and warn about old ones. */
export const PROTOCOL_VERSION = '2.1.330';
