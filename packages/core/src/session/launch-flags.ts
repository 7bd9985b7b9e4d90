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
  /** Paths of files. A configuration is sent in `initialize` instead, because it may contain secrets. */
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
