import type { WireMessage } from '@proto/core';
import type { Turn } from '@proto/core/agent';

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

/** Every flag with the type of its value. */
export interface FlagOptions {
  readonly print?: boolean;
  readonly outputFormat?: OutputFormat;
  readonly inputFormat?: 'text' | 'stream-json';
  readonly verbose?: boolean;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  readonly systemPromptFile?: string;
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
  /** `stdio` is the control channel, anything else the name of an MCP tool. */
  readonly permissionPromptTool?: string;
  readonly permissionPrompts?: 'host' | 'none';
  readonly allowDangerouslySkipPermissions?: boolean;
  readonly dangerouslySkipPermissions?: boolean;
  readonly continue?: boolean;
  /** A session id, a title or the path of a transcript; `true` leaves the choice open. */
  readonly resume?: string | true;
  readonly sessionId?: string;
  readonly forkSession?: boolean;
  readonly resumeSessionAt?: string;
  readonly resumeDropsTurn?: string;
  readonly teleport?: string | true;
  readonly sessionPersistence?: boolean;
  readonly sessionMirror?: boolean;
  /** The settings themselves, or the path of their file. */
  readonly settings?: JsonObject | string;
  readonly managedSettings?: JsonObject;
  readonly settingSources?: readonly ('user' | 'project' | 'local')[];
  readonly addDir?: readonly string[];
  readonly projectConfigRoot?: string;
  /** Each a configuration itself, or the path of its file. */
  readonly mcpConfig?: readonly (JsonObject | string)[];
  readonly strictMcpConfig?: boolean;
  readonly pluginDir?: readonly string[];
  readonly pluginDirNoMcp?: readonly string[];
  readonly agent?: string;
  readonly agents?: JsonObject;
  readonly jsonSchema?: JsonObject;
  readonly includePartialMessages?: boolean;
  readonly includeHookEvents?: boolean;
  readonly replayUserMessages?: boolean;
  readonly forwardSubagentText?: boolean;
  readonly promptSuggestions?: boolean;
  readonly excludeDynamicSystemPromptSections?: boolean;
  readonly systemPromptSnapshot?: boolean;
  readonly debug?: string | true;
  readonly debugFile?: string;
  readonly debugToStderr?: boolean;
  readonly awaitInitialize?: boolean;
  readonly sdkUrl?: string;
  readonly enableAuthStatus?: boolean;
  readonly workload?: string;
  readonly rewindFiles?: string;
  readonly init?: boolean;
  readonly maintenance?: boolean;
}

/** One turn of an agent executable: with what its command line asks for. */
export interface HeadlessTurn extends Turn {
  readonly options: HeadlessOptions;
  /** As they are at the beginning of the turn; empty without a source of settings. */
  readonly settings: JsonObject;
  /** Tells the host what goes on, such as `compacting`; `null` that it is over. */
  setStatus(status: string | null): Promise<void>;
}

/** The agent itself, as `RunTurn` of `@proto/core`, with the options of the command line at hand. */
export type HeadlessRunTurn = (turn: HeadlessTurn) => AsyncIterable<WireMessage>;
