/**
 * The flags of an agent. The name of each member is the name of its flag in camel case (spec/09-command-line.md). If a member is absent, its flag is
 * not passed.
 */
export interface LaunchFlags {
  /** The initial model: a name or an alias that the agent knows. */
  readonly model?: string;
  /** The models to use, in order of preference, if `model` is not available. */
  readonly fallbackModel?: readonly string[];
  /**
   * How many rounds with the model one prompt may take. If a prompt needs more rounds, its turn ends with a result of the subtype `error_max_turns`.
   */
  readonly maxTurns?: number;
  /**
   * The maximum cost of the session, in US dollars. When the cost reaches this maximum, the turn ends with a result of the subtype
   * `error_max_budget_usd`.
   */
  readonly maxBudgetUsd?: number;
  /** How many tokens a task should use. */
  readonly taskBudget?: number;
  /** Whether the model thinks before it answers. `adaptive` leaves the decision to the model. */
  readonly thinking?: 'adaptive' | 'disabled' | 'enabled';
  /** Whether the model's thinking is sent as a summary or left out. */
  readonly thinkingDisplay?: 'summarized' | 'omitted';
  /** The maximum number of tokens that the model may use for thinking. */
  readonly maxThinkingTokens?: number;
  /** The model's effort level, such as `low` or `high`. */
  readonly effort?: string;
  /** The names of beta features of the model API. */
  readonly betas?: readonly string[];
  /** Rules for tool calls that need no permission, such as `Bash(git log *)`. */
  readonly allowedTools?: readonly string[];
  /** Rules for tools that the agent must not use. */
  readonly disallowedTools?: readonly string[];
  /** The set of tools that the agent offers: `default` for the agent's built-in set, or an empty list for no tools. */
  readonly tools?: readonly string[] | 'default';
  /** The permission mode at the start, such as `default`, `acceptEdits`, `plan` or `bypassPermissions`. */
  readonly permissionMode?: string;
  /** Where the agent sends permission requests: the name of an MCP tool, or `stdio` for a host with `canUseTool`. */
  readonly permissionPromptTool?: string;
  /**
   * Who answers permission questions. With `none`, every call that requires a question to the user is denied. With `host`, the questions are sent to
   * the host.
   */
  readonly permissionPrompts?: 'host' | 'none';
  /** If true, the host may change to the mode `bypassPermissions` later. */
  readonly allowDangerouslySkipPermissions?: boolean;
  /** If true, the newest session of the working directory is continued. */
  readonly continue?: boolean;
  /** The session to continue: its id, its title or the path of its transcript. `true` lets the agent choose the session. */
  readonly resume?: string | true;
  /** The id of the new session: a UUID that the host chooses. */
  readonly sessionId?: string;
  /** With `resume` or `continue`: if true, a copy of the session is continued under a new id. */
  readonly forkSession?: boolean;
  /** With `resume`: the `uuid` of the last message to keep. Later messages are dropped. */
  readonly resumeSessionAt?: string;
  /** With `resumeSessionAt`: the `uuid` of the prompt whose turn is dropped. */
  readonly resumeDropsTurn?: string;
  /** If false, the agent does not store the session. */
  readonly sessionPersistence?: boolean;
  /** If true, the agent sends the lines of the session file to the host, as `transcript_mirror` messages. */
  readonly sessionMirror?: boolean;
  /** The settings, or the path of their file. Any user of the machine can read settings that are passed as a value. */
  readonly settings?: Readonly<Record<string, unknown>> | string;
  /** The administrator's settings. Other settings do not override them. */
  readonly managedSettings?: Readonly<Record<string, unknown>>;
  /** The sources from which the agent reads settings. With an empty list, the agent reads no settings. */
  readonly settingSources?: readonly ('user' | 'project' | 'local')[];
  /** The paths of further folders that the agent may work in. */
  readonly addDir?: readonly string[];
  /** The path of the folder that contains the project's settings. */
  readonly projectConfigRoot?: string;
  /**
   * The paths of files that configure MCP servers. A host that has the configuration itself passes it in `initialize` instead, because the
   * configuration may contain secrets.
   */
  readonly mcpConfig?: readonly string[];
  /** If true, the agent uses only the MCP servers of `mcpConfig`. */
  readonly strictMcpConfig?: boolean;
  /** The paths of folders that each contain a plugin. */
  readonly pluginDir?: readonly string[];
  /** The paths of folders that each contain a plugin whose MCP servers are not used. */
  readonly pluginDirNoMcp?: readonly string[];
  /** The name of the agent definition that the main conversation uses. */
  readonly agent?: string;
  /** The JSON Schema that `structured_output` of each result must satisfy. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
  /** If true, the agent also sends the model's replies in parts, as `stream_event` messages. */
  readonly includePartialMessages?: boolean;
  /** If true, the agent sends `hook_started`, `hook_progress` and `hook_response` messages. */
  readonly includeHookEvents?: boolean;
  /** If true, the agent echoes each prompt, as a `user` message whose `isReplay` is `true`. */
  readonly replayUserMessages?: boolean;
  /**
   * If true, the agent does nothing before it has applied the `initialize` request. This flag is needed if `initialize` contains servers or plugins.
   */
  readonly awaitInitialize?: boolean;
  /** If true, the agent writes a debug log. A string is a filter that selects categories of the log. */
  readonly debug?: string | true;
  /** The path of the file to which the agent writes the debug log. */
  readonly debugFile?: string;
  /** If true, the agent writes the debug log to its standard error. */
  readonly debugToStderr?: boolean;
}
