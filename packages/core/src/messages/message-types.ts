// Generated from src/schemas by `pnpm --filter @proto/core generate`; do not edit.

/** An id as `crypto.randomUUID` gives it. */
export type UUID = `${string}-${string}-${string}-${string}-${string}`;

/** Who the agent is logged in as. */
export type AccountInfo = {
  email?: string;
  organization?: string;
  subscriptionType?: string;
  tokenSource?: string;
  apiKeySource?: string;
  apiProvider?:
    | 'firstParty'
    | 'bedrock'
    | 'vertex'
    | 'foundry'
    | 'anthropicAws'
    | 'anthropicGoogleCloud'
    | 'mantle'
    | 'gateway';
};

/** A subagent as a host defines it. */
export type AgentDefinition = {
  description: string;
  tools?: string[];
  disallowedTools?: string[];
  prompt: string;
  model?: string;
  mcpServers?: AgentMcpServerSpec[];
  criticalSystemReminder_EXPERIMENTAL?: string;
  skills?: string[];
  initialPrompt?: string;
  maxTurns?: number;
  autoCompactWindow?: number;
  background?: boolean;
  omitClaudeMd?: boolean;
  memory?: 'user' | 'project' | 'local';
  effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | number;
  permissionMode?: PermissionMode;
  observer?: string;
  observerMessage?: string;
};

/** A subagent that may be used. */
export type AgentInfo = {
  name: string;
  description: string;
  model?: string;
};

/** A server of a subagent: the name of a known one, or new ones by name. */
export type AgentMcpServerSpec = string | Record<string, McpServerConfigForProcessTransport>;

/** Where the credentials of the agent come from. */
export type ApiKeySource =
  | 'ANTHROPIC_API_KEY'
  | 'apiKeyHelper'
  | '/login managed key'
  | 'none'
  | 'user'
  | 'project'
  | 'org'
  | 'temporary'
  | 'oauth';

/** A message of the model. While it is incomplete, `stop_reason` is null and `usage` is not final. */
export type ApiMessage = {
  id: string;
  type: 'message';
  role: 'assistant';
  model: string;
  content: ContentBlock[];
  stop_reason: StopReason | null;
  stop_sequence: string | null;
  usage: ApiUsage;
  stop_details?: unknown;
  container?: unknown;
  context_management?: unknown;
  diagnostics?: unknown;
};

/** The tokens of one call of the model API. Not final while the reply is incomplete. */
export type ApiUsage = {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  cache_creation?: {
    ephemeral_5m_input_tokens: number;
    ephemeral_1h_input_tokens: number;
  } | null;
  server_tool_use?: {
    web_search_requests: number;
    web_fetch_requests: number;
  } | null;
  output_tokens_details?: {
    thinking_tokens: number;
  } | null;
  service_tier?: string | null;
  inference_geo?: string | null;
  iterations?: unknown[] | null;
  speed?: string | null;
  fallback_credit?: unknown;
};

/** The tokens so far, as a `message_delta` event tells them. */
export type ApiUsageDelta = {
  output_tokens: number;
  input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  server_tool_use?: {
    web_search_requests: number;
    web_fetch_requests: number;
  } | null;
  output_tokens_details?: {
    thinking_tokens: number;
  } | null;
  iterations?: unknown[] | null;
};

/** The hook goes on by itself: what it was called for happens at once. */
export type AsyncHookJSONOutput = {
  async: true;
  asyncTimeout?: number;
};

/** A task that runs in the background. */
export type BackgroundTaskSummary = {
  id: string;
  type: string;
  status: string;
  description: string;
  command?: string;
  agent_type?: string;
  server?: string;
  tool?: string;
  name?: string;
};

/** What the input of every hook has. */
export type BaseHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
};

/** What a browser shows, in a form of the model API. */
export type BrowserStateBlock = {
  type: 'browser_state';
};

/** The summary that stands for what the model API compacted. */
export type CompactionBlock = {
  type: 'compaction';
  content?: string | null;
  encrypted_content?: string | null;
};

/** A file of settings or skills changed. */
export type ConfigChangeHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  source: 'user_settings' | 'project_settings' | 'local_settings' | 'policy_settings' | 'skills';
  file_path?: string;
  hook_event_name: 'ConfigChange';
};

/** A file put into the container of the model API. */
export type ContainerUploadBlock = {
  type: 'container_upload';
  file_id: string;
};

/** One piece of a message: the kinds of both sides, because transcripts and replays mix them. */
export type ContentBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ToolResultBlock
  | ImageBlock
  | DocumentBlock
  | SearchResultBlock
  | ServerToolUseBlock
  | ServerToolResultBlock
  | McpToolUseBlock
  | McpToolResultBlock
  | ContainerUploadBlock
  | McpToolListingBlock
  | CompactionBlock
  | FallbackBlock;

/** A failure: a text for people, and from recent agents a code to act on. */
export type ControlErrorResponse = {
  subtype: 'error';
  request_id: string;
  error: string;
  error_code?: string;
  pending_permission_requests?: SDKControlRequest[];
  pending_user_dialog_requests?: SDKControlRequest[];
  pending_elicitation_requests?: SDKControlRequest[];
};

/** A success. An acknowledgement may have no payload, or an empty one. */
export type ControlResponse = {
  subtype: 'success';
  request_id: string;
  response?: Record<string, unknown>;
  pending_permission_requests?: SDKControlRequest[];
  pending_user_dialog_requests?: SDKControlRequest[];
  pending_elicitation_requests?: SDKControlRequest[];
};

/** The working directory changed. */
export type CwdChangedHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  old_cwd: string;
  new_cwd: string;
  hook_event_name: 'CwdChanged';
};

/** What a hook of `CwdChanged` may answer beside the common members. */
export type CwdChangedHookSpecificOutput = {
  hookEventName: 'CwdChanged';
  watchPaths?: string[];
};

/** A directory was added to those the agent may use. */
export type DirectoryAddedHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  directory: string;
  source: 'slash_command' | 'register_repo_root';
  hook_event_name: 'DirectoryAdded';
};

/** A document in a prompt or in the answer of a tool. */
export type DocumentBlock = {
  type: 'document';
  source:
    | {
        type: 'base64';
        media_type: 'application/pdf';
        data: string;
      }
    | {
        type: 'text';
        media_type: 'text/plain';
        data: string;
      }
    | {
        type: 'content';
        content: string | unknown[];
      }
    | {
        type: 'url';
        url: string;
      }
    | {
        type: 'file';
        file_id: string;
      };
  title?: string | null;
  context?: string | null;
  citations?: {
    enabled?: boolean;
  } | null;
};

/** A server asks the user something; the hook may answer for them. */
export type ElicitationHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  mcp_server_name: string;
  message: string;
  mode?: 'form' | 'url';
  url?: string;
  elicitation_id?: string;
  requested_schema?: Record<string, unknown>;
  hook_event_name: 'Elicitation';
};

/** What a hook of `Elicitation` may answer beside the common members. */
export type ElicitationHookSpecificOutput = {
  hookEventName: 'Elicitation';
  action?: 'accept' | 'decline' | 'cancel';
  content?: Record<string, unknown>;
};

/** What the user said to a server. */
export type ElicitationResult = {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, unknown>;
};

/** The user answered a server; the hook may change the answer. */
export type ElicitationResultHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  mcp_server_name: string;
  elicitation_id?: string;
  mode?: 'form' | 'url';
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, unknown>;
  hook_event_name: 'ElicitationResult';
};

/** What a hook of `ElicitationResult` may answer beside the common members. */
export type ElicitationResultHookSpecificOutput = {
  hookEventName: 'ElicitationResult';
  action?: 'accept' | 'decline' | 'cancel';
  content?: Record<string, unknown>;
};

/** Why a session ended. */
export type ExitReason = 'clear' | 'resume' | 'logout' | 'prompt_input_exit' | 'other';

/** From here on another model wrote. */
export type FallbackBlock = {
  type: 'fallback';
  from: unknown;
  to: unknown;
  trigger?: unknown;
};

/** Why fast mode cannot serve. */
export type FastModeDisabledReason =
  | 'free'
  | 'preference'
  | 'extra_usage_disabled'
  | 'network_error'
  | 'unknown'
  | 'not_first_party'
  | 'disabled_by_env'
  | 'model_not_allowed'
  | 'sdk_opt_in_required'
  | 'pending';

/** Whether fast mode serves. */
export type FastModeState = 'off' | 'cooldown' | 'on';

/** A watched file changed. */
export type FileChangedHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  file_path: string;
  event: 'change' | 'add' | 'unlink';
  hook_event_name: 'FileChanged';
};

/** What a hook of `FileChanged` may answer beside the common members. */
export type FileChangedHookSpecificOutput = {
  hookEventName: 'FileChanged';
  watchPaths?: string[];
};

/** What a hook is called for. */
export type HookEvent =
  | 'PreToolUse'
  | 'PostToolUse'
  | 'PostToolUseFailure'
  | 'PostToolBatch'
  | 'Notification'
  | 'UserPromptSubmit'
  | 'UserPromptExpansion'
  | 'SessionStart'
  | 'SessionEnd'
  | 'Stop'
  | 'StopFailure'
  | 'SubagentStart'
  | 'SubagentStop'
  | 'PreCompact'
  | 'PostCompact'
  | 'PreModelSwitch'
  | 'PostModelSwitch'
  | 'PermissionRequest'
  | 'PermissionDenied'
  | 'Setup'
  | 'TeammateIdle'
  | 'TaskCreated'
  | 'TaskCompleted'
  | 'Elicitation'
  | 'ElicitationResult'
  | 'ConfigChange'
  | 'WorktreeCreate'
  | 'WorktreeRemove'
  | 'InstructionsLoaded'
  | 'CwdChanged'
  | 'FileChanged'
  | 'DirectoryAdded'
  | 'MessageDisplay';

/** What a hook is called with. Events not known yet pass as they are. */
export type HookInput =
  | PreToolUseHookInput
  | PostToolUseHookInput
  | PostToolUseFailureHookInput
  | PostToolBatchHookInput
  | PermissionRequestHookInput
  | PermissionDeniedHookInput
  | UserPromptSubmitHookInput
  | UserPromptExpansionHookInput
  | NotificationHookInput
  | MessageDisplayHookInput
  | ElicitationHookInput
  | ElicitationResultHookInput
  | SetupHookInput
  | SessionStartHookInput
  | SessionEndHookInput
  | PreCompactHookInput
  | PostCompactHookInput
  | PreModelSwitchHookInput
  | PostModelSwitchHookInput
  | StopHookInput
  | StopFailureHookInput
  | SubagentStartHookInput
  | SubagentStopHookInput
  | TeammateIdleHookInput
  | TaskCreatedHookInput
  | TaskCompletedHookInput
  | InstructionsLoadedHookInput
  | ConfigChangeHookInput
  | CwdChangedHookInput
  | DirectoryAddedHookInput
  | FileChangedHookInput
  | WorktreeCreateHookInput
  | WorktreeRemoveHookInput;

/** The answer of a hook. */
export type HookJSONOutput = AsyncHookJSONOutput | SyncHookJSONOutput;

/** What a hook decides about a call. */
export type HookPermissionDecision = 'allow' | 'deny' | 'ask' | 'defer';

/** What a hook may answer that is particular to its event. */
export type HookSpecificOutput =
  | PreToolUseHookSpecificOutput
  | PostToolUseHookSpecificOutput
  | PostToolUseFailureHookSpecificOutput
  | PostToolBatchHookSpecificOutput
  | PermissionRequestHookSpecificOutput
  | PermissionDeniedHookSpecificOutput
  | UserPromptSubmitHookSpecificOutput
  | UserPromptExpansionHookSpecificOutput
  | NotificationHookSpecificOutput
  | MessageDisplayHookSpecificOutput
  | ElicitationHookSpecificOutput
  | ElicitationResultHookSpecificOutput
  | SetupHookSpecificOutput
  | SessionStartHookSpecificOutput
  | PreModelSwitchHookSpecificOutput
  | PostModelSwitchHookSpecificOutput
  | StopHookSpecificOutput
  | SubagentStartHookSpecificOutput
  | SubagentStopHookSpecificOutput
  | CwdChangedHookSpecificOutput
  | FileChangedHookSpecificOutput
  | WorktreeCreateHookSpecificOutput;

/** A picture in a prompt or in the answer of a tool. */
export type ImageBlock = {
  type: 'image';
  source:
    | {
        type: 'base64';
        media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
        data: string;
      }
    | {
        type: 'url';
        url: string;
      }
    | {
        type: 'file';
        file_id: string;
      };
};

/** A file of instructions was read. */
export type InstructionsLoadedHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  file_path: string;
  memory_type: 'User' | 'Project' | 'Local' | 'Managed';
  load_reason: 'session_start' | 'nested_traversal' | 'path_glob_match' | 'include' | 'compact';
  globs?: string[];
  trigger_file_path?: string;
  parent_file_path?: string;
  hook_event_name: 'InstructionsLoaded';
};

/** A message of MCP, in either direction. One type for requests, notifications and answers: hosts exist that acknowledge a notification with a result that has no id. */
export type JSONRPCMessage = {
  jsonrpc: '2.0';
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: {
    code: number;
    message: string;
    data?: unknown;
  };
};

/** A server reached through a proxy of the account; only ever reported. */
export type McpClaudeAIProxyServerConfig = {
  type: 'claudeai-proxy';
  url: string;
  id: string;
  timeout?: number;
};

/** A server behind streamable HTTP. */
export type McpHttpServerConfig = {
  type: 'http';
  url: string;
  headers?: Record<string, string>;
  tools?: McpServerToolPolicy[];
  timeout?: number;
  alwaysLoad?: boolean;
};

/** A server behind server-sent events. */
export type McpSSEServerConfig = {
  type: 'sse';
  url: string;
  headers?: Record<string, string>;
  tools?: McpServerToolPolicy[];
  timeout?: number;
  alwaysLoad?: boolean;
};

/** A server within the host, reached over the control channel. */
export type McpSdkServerConfig = {
  type: 'sdk';
  name: string;
  timeout?: number;
  tools?: McpServerToolPolicy[];
};

/** How an agent process reaches a server. */
export type McpServerConfigForProcessTransport =
  | McpStdioServerConfig
  | McpSSEServerConfig
  | McpHttpServerConfig
  | McpSdkServerConfig;

/** The MCP server a tool comes from. Trust the source: the name is free to choose. */
export type McpServerProvenance = {
  name: string;
  source: string;
};

/** A server as the agent sees it. */
export type McpServerStatus = {
  name: string;
  status: 'connected' | 'failed' | 'needs-auth' | 'pending' | 'disabled';
  serverInfo?: {
    name: string;
    version: string;
  };
  error?: string;
  config?: McpServerStatusConfig;
  scope?: string;
  source?: string;
  transport?: string;
  tools?: {
    name: string;
    description?: string;
    annotations?: {
      readOnly?: boolean;
      destructive?: boolean;
      openWorld?: boolean;
    };
    _meta?: Record<string, unknown>;
  }[];
};

/** How a server that is reported is reached. */
export type McpServerStatusConfig =
  | McpStdioServerConfig
  | McpSSEServerConfig
  | McpHttpServerConfig
  | McpSdkServerConfig
  | McpClaudeAIProxyServerConfig;

/** What one tool of a server may do. */
export type McpServerToolPolicy = {
  name: string;
  permission_policy?: 'always_allow' | 'always_ask' | 'always_deny';
  org_max_permission?: 'allow' | 'ask' | 'blocked';
};

/** What became of the servers. */
export type McpSetServersResult = {
  added: string[];
  removed: string[];
  errors: Record<string, string>;
};

/** A server that is a child process. The default: its `type` may be missing. */
export type McpStdioServerConfig = {
  type?: 'stdio';
  command: string;
  args?: string[];
  env?: Record<string, string>;
  timeout?: number;
  alwaysLoad?: boolean;
};

/** The tools of an MCP server that the model API asked itself. */
export type McpToolListingBlock = {
  type: 'mcp_tool_listing';
  mcp_server_name: string;
  tools: unknown[];
};

/** What an MCP tool of the model API gave. */
export type McpToolResultBlock = {
  type: 'mcp_tool_result';
  tool_use_id: string;
  content: string | unknown[];
  is_error: boolean;
};

/** A call of an MCP tool that the model API ran itself. */
export type McpToolUseBlock = {
  type: 'mcp_tool_use';
  id: string;
  name: string;
  server_name: string;
  input: unknown;
};

/** A piece of text is about to be shown. */
export type MessageDisplayHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  turn_id: string;
  message_id: string;
  index: number;
  final: boolean;
  delta: string;
  hook_event_name: 'MessageDisplay';
};

/** What a hook of `MessageDisplay` may answer beside the common members. */
export type MessageDisplayHookSpecificOutput = {
  hookEventName: 'MessageDisplay';
  displayContent?: string;
};

/** A message as the model API takes it. */
export type MessageParam = {
  role: 'user' | 'assistant' | 'system';
  content: PromptContent;
};

/** A model that may be chosen. */
export type ModelInfo = {
  value: string;
  resolvedModel?: string;
  displayName: string;
  description: string;
  supportsEffort?: boolean;
  supportedEffortLevels?: ('low' | 'medium' | 'high' | 'xhigh' | 'max')[];
  supportsAdaptiveThinking?: boolean;
  supportsFastMode?: boolean;
  supportsAutoMode?: boolean;
  supportsThinkingOff?: boolean;
};

/** What one model was used for, summed up over the process. */
export type ModelUsage = {
  inputTokens: number;
  outputTokens: number;
  thinkingTokens?: number;
  cacheReadInputTokens: number;
  cacheCreationInputTokens: number;
  cacheCreationEphemeral5mInputTokens?: number;
  cacheCreationEphemeral1hInputTokens?: number;
  webSearchRequests: number;
  costUSD: number;
  contextWindow: number;
  maxOutputTokens: number;
  canonicalModel?: string;
  provider?: string;
  costBasis?: 'list' | 'managed' | 'unknown';
};

/** The tokens of the main loop of one turn. No member but `fallback_credit` is null. */
export type NonNullableUsage = {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens?: number;
  cache_read_input_tokens?: number;
  cache_creation?: {
    ephemeral_5m_input_tokens: number;
    ephemeral_1h_input_tokens: number;
  };
  server_tool_use?: {
    web_search_requests: number;
    web_fetch_requests: number;
  };
  output_tokens_details?: {
    thinking_tokens: number;
  };
  service_tier?: string;
  inference_geo?: string;
  iterations?: unknown[];
  speed?: string;
  fallback_credit?: unknown;
};

/** The agent wants the attention of the user. */
export type NotificationHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  message: string;
  title?: string;
  notification_type: string;
  hook_event_name: 'Notification';
};

/** What a hook of `Notification` may answer beside the common members. */
export type NotificationHookSpecificOutput = {
  hookEventName: 'Notification';
  additionalContext?: string;
};

/** What a permission rule does with a tool call. */
export type PermissionBehavior = 'allow' | 'deny' | 'ask';

/** How the user meant an answer, for the statistics of the agent. */
export type PermissionDecisionClassification = 'user_temporary' | 'user_permanent' | 'user_reject';

/** A call was denied without anybody being asked. */
export type PermissionDeniedHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  tool_name: string;
  tool_input: unknown;
  tool_use_id: string;
  reason: string;
  mcp_server?: McpServerProvenance;
  hook_event_name: 'PermissionDenied';
};

/** What a hook of `PermissionDenied` may answer beside the common members. */
export type PermissionDeniedHookSpecificOutput = {
  hookEventName: 'PermissionDenied';
  retry?: boolean;
};

/** How much the agent may do without asking. */
export type PermissionMode = 'default' | 'acceptEdits' | 'bypassPermissions' | 'plan' | 'dontAsk' | 'auto';

/** The agent wants to ask for permission; hook and host are asked at once, and the first answer counts. */
export type PermissionRequestHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  tool_name: string;
  tool_input: unknown;
  permission_suggestions?: PermissionUpdate[];
  mcp_server?: McpServerProvenance;
  hook_event_name: 'PermissionRequest';
};

/** What a hook of `PermissionRequest` may answer beside the common members. */
export type PermissionRequestHookSpecificOutput = {
  hookEventName: 'PermissionRequest';
  decision:
    | {
        behavior: 'allow';
        updatedInput?: Record<string, unknown>;
        updatedPermissions?: PermissionUpdate[];
      }
    | {
        behavior: 'deny';
        message?: string;
        interrupt?: boolean;
      };
};

/** The answer to a permission request. Closed: what neither allows nor denies is no answer. */
export type PermissionResult =
  | {
      behavior: 'allow';
      updatedInput?: Record<string, unknown>;
      updatedPermissions?: PermissionUpdate[];
      toolUseID?: string;
      decisionClassification?: PermissionDecisionClassification;
    }
  | {
      behavior: 'deny';
      message?: string;
      interrupt?: boolean;
      toolUseID?: string;
      decisionClassification?: PermissionDecisionClassification;
    };

/** A rule: a tool, and a pattern of its input. */
export type PermissionRuleValue = {
  toolName: string;
  ruleContent?: string;
};

/** A change of the permission rules: offered with a request, and sent back with its answer when the user wants it. */
export type PermissionUpdate =
  | {
      type: 'addRules';
      rules: PermissionRuleValue[];
      behavior: PermissionBehavior;
      destination: PermissionUpdateDestination;
    }
  | {
      type: 'replaceRules';
      rules: PermissionRuleValue[];
      behavior: PermissionBehavior;
      destination: PermissionUpdateDestination;
    }
  | {
      type: 'removeRules';
      rules: PermissionRuleValue[];
      behavior: PermissionBehavior;
      destination: PermissionUpdateDestination;
    }
  | {
      type: 'setMode';
      mode: PermissionMode;
      destination: PermissionUpdateDestination;
    }
  | {
      type: 'addDirectories';
      directories: string[];
      destination: PermissionUpdateDestination;
    }
  | {
      type: 'removeDirectories';
      directories: string[];
      destination: PermissionUpdateDestination;
    };

/** Where a change of the rules is kept; `session` ends with the session. */
export type PermissionUpdateDestination = 'userSettings' | 'projectSettings' | 'localSettings' | 'session' | 'cliArg';

/** The history was summarised. */
export type PostCompactHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  trigger: 'manual' | 'auto';
  compact_summary: string;
  hook_event_name: 'PostCompact';
};

/** Another model is used from now on. */
export type PostModelSwitchHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  from_model: string;
  to_model: string;
  requested_model: string | null;
  source: 'command' | 'picker' | 'sdk' | 'auto' | 'resume';
  context_tokens: number;
  prompt_cache_warm: boolean;
  cache_ttl: '5m' | '1h';
  estimated_cache_write_usd: number;
  pricing: 'configured' | 'catalog' | 'default';
  hook_event_name: 'PostModelSwitch';
};

/** What a hook of `PostModelSwitch` may answer beside the common members. */
export type PostModelSwitchHookSpecificOutput = {
  hookEventName: 'PostModelSwitch';
  additionalContext?: string;
};

/** All calls of one message were made. */
export type PostToolBatchHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  tool_calls: PostToolBatchToolCall[];
  hook_event_name: 'PostToolBatch';
};

/** What a hook of `PostToolBatch` may answer beside the common members. */
export type PostToolBatchHookSpecificOutput = {
  hookEventName: 'PostToolBatch';
  additionalContext?: string;
};

/** One call of a batch. */
export type PostToolBatchToolCall = {
  tool_name: string;
  tool_input: unknown;
  tool_use_id: string;
  tool_response?: unknown;
};

/** A tool was called and failed. */
export type PostToolUseFailureHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  tool_name: string;
  tool_input: unknown;
  tool_use_id: string;
  error: string;
  is_interrupt?: boolean;
  duration_ms?: number;
  mcp_server?: McpServerProvenance;
  hook_event_name: 'PostToolUseFailure';
};

/** What a hook of `PostToolUseFailure` may answer beside the common members. */
export type PostToolUseFailureHookSpecificOutput = {
  hookEventName: 'PostToolUseFailure';
  additionalContext?: string;
};

/** A tool was called and answered. */
export type PostToolUseHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  tool_name: string;
  tool_input: unknown;
  tool_response: unknown;
  tool_use_id: string;
  duration_ms?: number;
  mcp_server?: McpServerProvenance;
  hook_event_name: 'PostToolUse';
};

/** What a hook of `PostToolUse` may answer beside the common members. */
export type PostToolUseHookSpecificOutput = {
  hookEventName: 'PostToolUse';
  additionalContext?: string;
  classifierContext?: string;
  updatedToolOutput?: unknown;
  updatedMCPToolOutput?: unknown;
};

/** The history is about to be summarised. */
export type PreCompactHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  trigger: 'manual' | 'auto';
  custom_instructions: string | null;
  hook_event_name: 'PreCompact';
};

/** Another model is about to be used. */
export type PreModelSwitchHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  from_model: string;
  to_model: string;
  requested_model: string | null;
  source: 'command' | 'picker' | 'sdk';
  context_tokens: number;
  prompt_cache_warm: boolean;
  cache_ttl: '5m' | '1h';
  estimated_cache_write_usd: number;
  pricing: 'configured' | 'catalog' | 'default';
  hook_event_name: 'PreModelSwitch';
};

/** What a hook of `PreModelSwitch` may answer beside the common members. */
export type PreModelSwitchHookSpecificOutput = {
  hookEventName: 'PreModelSwitch';
  permissionDecision?: 'allow' | 'deny' | 'ask';
  permissionDecisionReason?: string;
};

/** A tool is about to be called; the hook may allow, deny, ask, defer, or change the input. */
export type PreToolUseHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  tool_name: string;
  tool_input: unknown;
  tool_use_id: string;
  mcp_server?: McpServerProvenance;
  hook_event_name: 'PreToolUse';
};

/** What a hook of `PreToolUse` may answer beside the common members. */
export type PreToolUseHookSpecificOutput = {
  hookEventName: 'PreToolUse';
  permissionDecision?: HookPermissionDecision;
  permissionDecisionReason?: string;
  updatedInput?: Record<string, unknown>;
  additionalContext?: string;
};

/** Text, or content blocks. */
export type PromptContent = string | ContentBlock[];

/** What the model thought, encrypted. */
export type RedactedThinkingBlock = {
  type: 'redacted_thinking';
  data: string;
};

/** What was put back, or would be. */
export type RewindFilesResult = {
  canRewind: boolean;
  error?: string;
  filesChanged?: string[];
  insertions?: number;
  deletions?: number;
  skippedLinks?: number;
};

/** A call of the model API failed and is tried again. */
export type SDKAPIRetryMessage = {
  type: 'system';
  subtype: 'api_retry';
  attempt: number;
  max_retries: number;
  retry_delay_ms: number;
  error_status: number | null;
  error: SDKAssistantMessageError;
  no_response?: {
    waited_ms: number;
    retry_wait_ms: number;
  };
  uuid: UUID;
  session_id: string;
};

/** The goal the agent works towards; null when it was cleared. */
export type SDKActiveGoalMessage = {
  type: 'active_goal';
  value: {
    condition: string;
    iterations: number;
    set_at: number;
    tokens_at_start: number;
    last_reason?: string;
  } | null;
  uuid: UUID;
  session_id: string;
};

/** One completed content block of the model; messages of one reply share `message.id`. */
export type SDKAssistantMessage = {
  type: 'assistant';
  message: ApiMessage;
  parent_tool_use_id: string | null;
  error?: SDKAssistantMessageError;
  request_id?: string;
  user_message_uuid?: string;
  user_message_uuids?: string[];
  resume_reason?: string;
  resumed_from_incomplete_thinking?: true;
  supersedes?: UUID[];
  aborted?: true;
  agent_id?: string;
  subagent_type?: string;
  task_description?: string;
  timestamp?: string;
  context_usage?: SDKContextUsage;
  usage_report?: SDKUsageReport;
  is_api_error_message?: boolean;
  api_error_status?: number;
  api_error_type?: string;
  tool_use_meta?: unknown[];
  thinking_duration_ms?: number;
  thinking_display?: string;
  uuid: UUID;
  session_id: string;
};

/** The kind of API error a made-up assistant message tells of. */
export type SDKAssistantMessageError =
  | 'authentication_failed'
  | 'oauth_org_not_allowed'
  | 'account_on_hold'
  | 'verification_required'
  | 'billing_error'
  | 'rate_limit'
  | 'overloaded'
  | 'invalid_request'
  | 'model_not_found'
  | 'server_error'
  | 'unknown'
  | 'max_output_tokens'
  | 'cloud_credential_error';

/** How a login is going. */
export type SDKAuthStatusMessage = {
  type: 'auth_status';
  isAuthenticating: boolean;
  output: string[];
  error?: string;
  uuid: UUID;
  session_id: string;
};

/** All tasks that live in the background now: replaces what was known. */
export type SDKBackgroundTasksChangedMessage = {
  type: 'system';
  subtype: 'background_tasks_changed';
  tasks: {
    task_id: string;
    run_id?: string;
    task_type: string;
    subagent_type?: string;
    description: string;
    parent_task_id?: string;
    ambient?: boolean;
  }[];
  uuid: UUID;
  session_id: string;
};

/** What became of a prompt that carried a `uuid`. Seen, not declared. */
export type SDKCommandLifecycleMessage = {
  type: 'command_lifecycle';
  command_uuid: string;
  state: 'queued' | 'started' | 'completed' | 'cancelled' | 'discarded' | 'refused';
  uuid: UUID;
  session_id: string;
};

/** All slash commands there are now: replaces what was known. */
export type SDKCommandsChangedMessage = {
  type: 'system';
  subtype: 'commands_changed';
  commands: SlashCommand[];
  uuid: UUID;
  session_id: string;
};

/** The history up to here was compacted. */
export type SDKCompactBoundaryMessage = {
  type: 'system';
  subtype: 'compact_boundary';
  compact_metadata: {
    trigger: 'manual' | 'auto';
    pre_tokens: number;
    post_tokens?: number;
    duration_ms?: number;
    preserved_segment?: {
      head_uuid: UUID;
      anchor_uuid: UUID;
      tail_uuid: UUID;
    };
    preserved_messages?: {
      anchor_uuid: UUID;
      uuids: UUID[];
    };
  };
  uuid: UUID;
  session_id: string;
};

/** What fills the context window. */
export type SDKContextUsage = {
  model: string;
  total_tokens: number;
  raw_max_tokens: number;
  percentage: number;
  over_limit?: {
    tokens_over: number;
    kind: 'hard_limit' | 'compaction_window';
  };
  categories: SDKContextUsageCategory[];
  mcp_tools: {
    name: string;
    server_name: string;
    tokens: number;
  }[];
  memory_files: {
    path: string;
    type: string;
    tokens: number;
  }[];
  agents: {
    agent_type: string;
    source: string;
    tokens: number;
  }[];
  skills?: {
    name: string;
    source: string;
    plugin_name?: string;
    tokens: number;
  }[];
};

/** One part of the context window, and its tokens. */
export type SDKContextUsageCategory = {
  name: string;
  tokens: number;
  kind: 'used' | 'free' | 'buffer' | 'deferred';
};

/** Merges settings over those of the command line; `null` clears one. */
export type SDKControlApplyFlagSettingsRequest = {
  subtype: 'apply_flag_settings';
  settings: Record<string, unknown>;
};

/** Lets running tasks go on in the background: all, or one. */
export type SDKControlBackgroundTasksRequest = {
  subtype: 'background_tasks';
  tool_use_id?: string;
};

/** Whether anything went to the background; read as true when missing. */
export type SDKControlBackgroundTasksResponse = {
  backgrounded?: boolean;
};

/** Takes back a prompt that waits. */
export type SDKControlCancelAsyncMessageRequest = {
  subtype: 'cancel_async_message';
  message_uuid: string;
};

/** Whether the prompt was still waiting. */
export type SDKControlCancelAsyncMessageResponse = {
  cancelled?: boolean;
  message_uuid?: string;
};

/** Takes back one's own request. There is no answer to it, and may be none to the request. */
export type SDKControlCancelRequest = {
  type: 'control_cancel_request';
  request_id: string;
};

/** A server asks the user something. */
export type SDKControlElicitationRequest = {
  subtype: 'elicitation';
  mcp_server_name: string;
  message: string;
  mode?: 'form' | 'url';
  url?: string;
  elicitation_id?: string;
  requested_schema?: Record<string, unknown>;
  property_order?: string[];
  title?: string;
  display_name?: string;
  description?: string;
};

/** Asks which files the user may mean. */
export type SDKControlFileSuggestionsRequest = {
  subtype: 'file_suggestions';
  query: string;
};

/** The files the user may mean. */
export type SDKControlFileSuggestionsResponse = {
  suggestions?: unknown[];
  cwd?: string;
};

/** Asks which build the agent is. */
export type SDKControlGetBinaryVersionRequest = {
  subtype: 'get_binary_version';
};

/** Which build the agent is. */
export type SDKControlGetBinaryVersionResponse = {
  version?: string;
  buildTime?: string;
  oldestDesktopSdk?: string;
};

/** Asks what fills the context window; `summary` spares the calls that count tokens. */
export type SDKControlGetContextUsageRequest = {
  subtype: 'get_context_usage';
  detail?: 'summary' | 'full';
};

/** What fills the context window. */
export type SDKControlGetContextUsageResponse = {
  categories: {
    id?:
      | 'system_prompt'
      | 'system_tools'
      | 'mcp_tools'
      | 'mcp_instructions'
      | 'mcp_tools_deferred'
      | 'system_tools_deferred'
      | 'custom_agents'
      | 'memory_files'
      | 'skills'
      | 'messages'
      | 'autocompact_buffer'
      | 'compact_buffer'
      | 'free_space';
    name: string;
    tokens: number;
    color: string;
    isDeferred?: boolean;
    kind: 'used' | 'free' | 'buffer' | 'deferred';
  }[];
  totalTokens: number;
  maxTokens: number;
  rawMaxTokens: number;
  percentage: number;
  gridRows: {
    color: string;
    isFilled: boolean;
    categoryName: string;
    tokens: number;
    percentage: number;
    squareFullness: number;
  }[][];
  model: string;
  memoryFiles: {
    path: string;
    type: string;
    tokens: number;
  }[];
  mcpTools: {
    name: string;
    serverName: string;
    tokens: number;
    isLoaded?: boolean;
  }[];
  mcpInstructions?: {
    serverName: string;
    tokens: number;
  }[];
  deferredBuiltinTools?: {
    name: string;
    tokens: number;
    isLoaded: boolean;
  }[];
  systemTools?: {
    name: string;
    tokens: number;
  }[];
  systemPromptSections?: {
    name: string;
    tokens: number;
  }[];
  agents: {
    agentType: string;
    source: string;
    pluginId?: string;
    path?: string;
    tokens: number;
  }[];
  slashCommands?: {
    totalCommands: number;
    includedCommands: number;
    tokens: number;
  };
  skills?: {
    totalSkills: number;
    includedSkills: number;
    tokens: number;
    skillFrontmatter: {
      name: string;
      source: string;
      pluginName?: string;
      pluginId?: string;
      path?: string;
      tokens: number;
    }[];
  };
  autoCompactThreshold?: number;
  isAutoCompactEnabled: boolean;
  messageBreakdown?: {
    toolCallTokens: number;
    toolResultTokens: number;
    attachmentTokens: number;
    assistantMessageTokens: number;
    userMessageTokens: number;
    redirectedContextTokens: number;
    unattributedTokens: number;
    toolCallsByType: {
      name: string;
      callTokens: number;
      resultTokens: number;
    }[];
    attachmentsByType: {
      name: string;
      tokens: number;
    }[];
  };
  apiUsage: {
    input_tokens: number;
    output_tokens: number;
    cache_creation_input_tokens: number;
    cache_read_input_tokens: number;
  } | null;
  autocompactSource?: string;
};

/** Asks which hooks there are. */
export type SDKControlGetHooksListingRequest = {
  subtype: 'get_hooks_listing';
};

/** Which hooks there are, from all sources. */
export type SDKControlGetHooksListingResponse = {
  events: {
    name: string;
    summary: string;
    supportsMatcher: boolean;
    hookCount: number;
  }[];
  hooks: {
    event: string;
    matcher: string;
    source: string;
    sourceLabel: string;
    pluginName?: string;
    type: string;
    displayText: string;
    commandText: string;
    contentLabel: string;
    condition?: string;
    timeout?: number;
    statusMessage?: string;
    runsOnce?: boolean;
    runsInBackground?: boolean;
    disabled?: true;
    editable?: {
      matcher: string;
      config: Record<string, unknown>;
      headersRedacted?: true;
    };
  }[];
  eventCatalog: {
    name: string;
    summary: string;
    supportsMatcher: boolean;
  }[];
  policy: {
    disabledByPolicy: boolean;
    managedOnly: boolean;
    pluginOnly: boolean;
    allDisabled: boolean;
    policyHookCount: number;
    policyUnreadable?: true;
  };
  safeMode?: {
    managedHooksStillApply: boolean;
    exitHint: string;
  };
  bareMode?: {
    exitHint: string;
  };
  errors?: SDKSettingsParseError[];
};

/** Asks what the session has cost so far, as text. */
export type SDKControlGetSessionCostRequest = {
  subtype: 'get_session_cost';
};

/** What the session has cost, for people to read. */
export type SDKControlGetSessionCostResponse = {
  text?: string;
};

/** Asks which settings hold. */
export type SDKControlGetSettingsRequest = {
  subtype: 'get_settings';
};

/** The settings that hold, and where they come from. */
export type SDKControlGetSettingsResponse = {
  effective?: Record<string, unknown>;
  sources?: unknown[];
  applied?: Record<string, unknown>;
  served_settings_state?: string;
};

/** Asks for the end of what a task wrote. */
export type SDKControlGetTaskOutputRequest = {
  subtype: 'get_task_output';
  task_id: string;
};

/** The end of what a task wrote. */
export type SDKControlGetTaskOutputResponse = {
  output: string;
  total_bytes: number;
  truncated: boolean;
};

/** Asks what the account has used of its limits. */
export type SDKControlGetUsageRequest = {
  subtype: 'get_usage';
  skip_behaviors?: boolean;
};

/** What the account has used of its limits. */
export type SDKControlGetUsageResponse = {
  session: {
    total_cost_usd: number;
    total_api_duration_ms: number;
    total_duration_ms: number;
    total_lines_added: number;
    total_lines_removed: number;
    model_usage: Record<string, ModelUsage>;
  };
  subscription_type: string | null;
  rate_limits_available: boolean;
  rate_limits: {
    five_hour?: {
      utilization: number | null;
      resets_at: string | null;
    } | null;
    seven_day?: {
      utilization: number | null;
      resets_at: string | null;
    } | null;
    seven_day_oauth_apps?: {
      utilization: number | null;
      resets_at: string | null;
    } | null;
    seven_day_opus?: {
      utilization: number | null;
      resets_at: string | null;
    } | null;
    seven_day_sonnet?: {
      utilization: number | null;
      resets_at: string | null;
    } | null;
    model_scoped?: {
      display_name: string;
      utilization: number | null;
      resets_at: string | null;
    }[];
    extra_usage?: {
      is_enabled: boolean;
      monthly_limit: number | null;
      used_credits: number | null;
      utilization: number | null;
      currency?: string | null;
    } | null;
  } | null;
  behaviors: {
    day: {
      request_count: number;
      session_count: number;
      behaviors: {
        key:
          | 'cache_miss'
          | 'long_context'
          | 'subagent_heavy'
          | 'high_parallel'
          | 'cron'
          | 'max_effort'
          | 'workflow'
          | 'always_on_context'
          | 'large_tool_results';
        pct: number;
        count: number;
      }[];
      recommendations?: {
        key: string;
        pct: number;
        title: string;
        detail?: string;
      }[];
      fix?: {
        keys: string[];
        messages: string[];
      };
      agents: {
        name: string;
        pct: number;
      }[];
      skills: {
        name: string;
        pct: number;
      }[];
      plugins: {
        name: string;
        pct: number;
      }[];
      mcp_servers: {
        name: string;
        pct: number;
      }[];
    };
    week: {
      request_count: number;
      session_count: number;
      behaviors: {
        key:
          | 'cache_miss'
          | 'long_context'
          | 'subagent_heavy'
          | 'high_parallel'
          | 'cron'
          | 'max_effort'
          | 'workflow'
          | 'always_on_context'
          | 'large_tool_results';
        pct: number;
        count: number;
      }[];
      recommendations?: {
        key: string;
        pct: number;
        title: string;
        detail?: string;
      }[];
      fix?: {
        keys: string[];
        messages: string[];
      };
      agents: {
        name: string;
        pct: number;
      }[];
      skills: {
        name: string;
        pct: number;
      }[];
      plugins: {
        name: string;
        pct: number;
      }[];
      mcp_servers: {
        name: string;
        pct: number;
      }[];
    };
  } | null;
};

/** Tells the agent what the host serves and wants. A later one replaces what it names, and leaves the rest as it was. */
export type SDKControlInitializeRequest = {
  subtype: 'initialize';
  hooks?: Partial<Record<HookEvent, SDKHookCallbackMatcher[]>> | null;
  sdkMcpServers?: string[];
  sdkMcpServerConfigs?: Record<
    string,
    {
      timeout?: number;
      tools?: McpServerToolPolicy[];
    }
  >;
  sdkMcpServerManifests?: Record<
    string,
    {
      initializeResult: Record<string, unknown>;
      toolsListResult?: Record<string, unknown>;
    }
  >;
  sdkMcpServerManifestsOrigin?: 'host_per_send';
  jsonSchema?: Record<string, unknown>;
  systemPrompt?: string[];
  appendSystemPrompt?: string;
  systemPromptSnapshot?: boolean;
  planModeInstructions?: string;
  toolAliases?: Record<string, string>;
  excludeDynamicSections?: boolean;
  agents?: Record<string, AgentDefinition>;
  title?: string;
  skills?: string[];
  promptSuggestions?: boolean;
  agentProgressSummaries?: boolean;
  forwardSubagentText?: boolean;
  supportedDialogKinds?: string[];
  perTaskStopAffordance?: boolean;
  plugins?: SdkPluginConfig[];
  mcpServers?: Record<string, McpServerConfigForProcessTransport>;
};

/** What the agent offers; members after the declared ones were seen on the wire. */
export type SDKControlInitializeResponse = {
  commands: SlashCommand[];
  agents: AgentInfo[];
  output_style: string;
  available_output_styles: string[];
  models: ModelInfo[];
  account: AccountInfo;
  hooks_applied?: boolean;
  hook_on_failure_supported?: boolean;
  plugins_applied?: boolean;
  mcp_servers_applied?: boolean;
  sdk_mcp_manifests_parked?: Record<
    string,
    'parked' | 'already_connected' | 'protocol_version_mismatch' | 'malformed' | 'not_honoured'
  >;
  claude_code_version?: string;
  fast_mode_state?: FastModeState;
  fast_mode_disabled_reason?: FastModeDisabledReason;
  user_output_styles_dir?: string;
  pid?: number;
  current_permission_mode?: PermissionMode;
  session_state?: string;
  capabilities?: string[];
  hooks_when_unanswered_kept?: number;
  other_hook_ask_outranks_host?: boolean;
  feedback_mode?: Record<string, unknown>;
  analytics_disabled?: boolean;
  remote_control_auto_enable?: boolean;
  remote_control_auto_connect_default?: boolean;
  remote_control_available?: boolean;
  remote_control_auto_on_by_default?: boolean;
  ide_rc_auto_enable_gate?: boolean;
};

/** Ends the running turn; `cancel_queued` also drops the prompts that wait. */
export type SDKControlInterruptRequest = {
  subtype: 'interrupt';
  cancel_queued?: boolean;
};

/** The receipt: prompts that still wait, and those that were dropped. Older agents send an empty one. */
export type SDKControlInterruptResponse = {
  still_queued?: string[];
  cancelled?: string[];
};

/** Asks which models may be chosen. */
export type SDKControlListModelsRequest = {
  subtype: 'list_models';
};

/** The models that may be chosen. */
export type SDKControlListModelsResponse = {
  models?: ModelInfo[];
};

/** Asks which rules hold. */
export type SDKControlListPermissionRulesRequest = {
  subtype: 'list_permission_rules';
};

/** The rules that hold. */
export type SDKControlListPermissionRulesResponse = {
  state: SDKControlPermissionRulesState;
};

/** Calls a tool of a server without the model. */
export type SDKControlMcpCallRequest = {
  subtype: 'mcp_call';
  tool: string;
  arguments?: Record<string, unknown>;
  expires_at?: string;
  timeout_ms?: number;
  result_not_for_model?: boolean;
  check_permissions?: boolean;
  input_files?: {
    name: string;
    lane_path: string;
  }[];
  output_files?: {
    name: string;
    lane_path: string;
    if_match?: string;
  }[];
};

/** What the tool gave. */
export type SDKControlMcpCallResponse = {
  content?: unknown;
  structuredContent?: unknown;
  _meta?: Record<string, unknown>;
  staging?: unknown;
};

/** A message of MCP to the server behind the control channel, or from it. */
export type SDKControlMcpMessageRequest = {
  subtype: 'mcp_message';
  server_name: string;
  message: JSONRPCMessage;
};

/** The answer of the server; an agent only acknowledges. */
export type SDKControlMcpMessageResponse = {
  mcp_response?: JSONRPCMessage;
};

/** Reads a resource of a server. */
export type SDKControlMcpReadResourceRequest = {
  subtype: 'mcp_read_resource';
  serverName: string;
  uri: string;
};

/** The resource, as text or as base64. */
export type SDKControlMcpReadResourceResponse = {
  contents: {
    uri: string;
    mimeType?: string;
    text?: string;
    blob?: string;
    _meta?: Record<string, unknown>;
  }[];
};

/** Connects a server again. */
export type SDKControlMcpReconnectRequest = {
  subtype: 'mcp_reconnect';
  serverName: string;
};

/** Replaces the servers that the host has added. */
export type SDKControlMcpSetServersRequest = {
  subtype: 'mcp_set_servers';
  servers: Record<string, McpServerConfigForProcessTransport>;
};

/** Asks how the servers are. */
export type SDKControlMcpStatusRequest = {
  subtype: 'mcp_status';
  liveReply?: boolean;
};

/** How the servers are. */
export type SDKControlMcpStatusResponse = {
  mcpServers: McpServerStatus[];
};

/** Turns a server on or off. */
export type SDKControlMcpToggleRequest = {
  subtype: 'mcp_toggle';
  serverName: string;
  enabled: boolean;
};

/** The agent asks whether it may call a tool. */
export type SDKControlPermissionRequest = {
  subtype: 'can_use_tool';
  tool_name: string;
  mcp_server?: McpServerProvenance;
  input: Record<string, unknown>;
  permission_suggestions?: PermissionUpdate[];
  blocked_path?: string;
  decision_reason?: string;
  decision_reason_type?:
    | 'rule'
    | 'mode'
    | 'subcommandResults'
    | 'permissionPromptTool'
    | 'hook'
    | 'asyncAgent'
    | 'sandboxOverride'
    | 'workingDir'
    | 'safetyCheck'
    | 'classifier'
    | 'other';
  classifier_approvable?: boolean;
  suppress_always_allow_rule?: boolean;
  default_to_no?: boolean;
  matched_ask_rule?: {
    source: string;
    tool_name: string;
    rule_content?: string;
  };
  title?: string;
  display_name?: string;
  tool_use_id: string;
  agent_id?: string;
  description?: string;
  requires_user_interaction?: boolean;
  server_policy_ask_only?: boolean;
};

/** All rules that hold. */
export type SDKControlPermissionRulesState = {
  rules: SDKPermissionRuleEntry[];
  workspaceDirectories: SDKPermissionWorkspaceDirectory[];
  originalCwd: string;
  managedOnly: boolean;
  errors?: SDKSettingsParseError[];
  withheld?: boolean;
};

/** Reads a file, as far as the rules of reading allow. */
export type SDKControlReadFileRequest = {
  subtype: 'read_file';
  path: string;
  max_bytes?: number;
  encoding?: 'utf-8' | 'base64';
};

/** What the file holds. */
export type SDKControlReadFileResponse = {
  contents: string;
  absPath: string;
  truncated?: boolean;
  encoding?: 'base64';
  lossy?: boolean;
};

/** Adds a directory below the working directory as a root. */
export type SDKControlRegisterRepoRootRequest = {
  subtype: 'register_repo_root';
  directory: string;
  reload_claude_md?: boolean;
  reload_plugins?: boolean;
  reload_skills?: boolean;
};

/** Reads the output styles again. */
export type SDKControlReloadOutputStylesRequest = {
  subtype: 'reload_output_styles';
};

/** The output styles there are. */
export type SDKControlReloadOutputStylesResponse = {
  available_output_styles: string[];
};

/** Reads the plugins again, and adds some. */
export type SDKControlReloadPluginsRequest = {
  subtype: 'reload_plugins';
  hold_on_cache_impact?: boolean;
  add_plugins?: SdkPluginConfig[];
  refuse_if_busy?: boolean;
};

/** What there is after reading the plugins again. */
export type SDKControlReloadPluginsResponse = {
  commands: SlashCommand[];
  agents: AgentInfo[];
  plugins: {
    name: string;
    path: string;
    source?: string;
    version?: string;
  }[];
  mcpServers: McpServerStatus[];
  error_count: number;
  held?: boolean;
  cache_impact?: {
    mcp_servers_added: string[];
    mcp_servers_removed: string[];
    lsp_tool_change: 'adds' | 'may-add' | 'removes' | 'may-remove' | null;
  };
};

/** Reads the skills again. */
export type SDKControlReloadSkillsRequest = {
  subtype: 'reload_skills';
};

/** The skills there are. */
export type SDKControlReloadSkillsResponse = {
  skills: SlashCommand[];
};

/** Gives the session a title. */
export type SDKControlRenameSessionRequest = {
  subtype: 'rename_session';
  title: string;
  source?: 'remote' | 'host';
  session_id?: string;
};

/** A control request as it travels. Each side chooses the ids of its own requests. */
export type SDKControlRequest = {
  type: 'control_request';
  request_id: string;
  request:
    | SDKControlInitializeRequest
    | SDKControlInterruptRequest
    | SDKControlRenameSessionRequest
    | SDKControlSetColorRequest
    | SDKControlCancelAsyncMessageRequest
    | SDKControlSetHasSubscribersRequest
    | SDKControlGetSessionCostRequest
    | SDKControlGetBinaryVersionRequest
    | SDKControlSetModelRequest
    | SDKControlSetMaxThinkingTokensRequest
    | SDKControlListModelsRequest
    | SDKControlPermissionRequest
    | SDKControlSetPermissionModeRequest
    | SDKControlListPermissionRulesRequest
    | SDKHookCallbackRequest
    | SDKControlGetHooksListingRequest
    | SDKControlMcpMessageRequest
    | SDKControlMcpStatusRequest
    | SDKControlMcpCallRequest
    | SDKControlMcpSetServersRequest
    | SDKControlMcpReconnectRequest
    | SDKControlMcpToggleRequest
    | SDKControlMcpReadResourceRequest
    | SDKControlFileSuggestionsRequest
    | SDKControlReadFileRequest
    | SDKControlSeedReadStateRequest
    | SDKControlRewindFilesRequest
    | SDKControlRegisterRepoRootRequest
    | SDKControlReloadPluginsRequest
    | SDKControlReloadSkillsRequest
    | SDKControlReloadOutputStylesRequest
    | SDKControlStopTaskRequest
    | SDKControlBackgroundTasksRequest
    | SDKControlGetTaskOutputRequest
    | SDKControlApplyFlagSettingsRequest
    | SDKControlGetSettingsRequest
    | SDKControlUpdateSettingsRequest
    | SDKControlGetContextUsageRequest
    | SDKControlGetUsageRequest
    | SDKControlElicitationRequest
    | SDKControlRequestUserDialogRequest;
};

/** How a control request that takes long is going. */
export type SDKControlRequestProgressMessage = {
  type: 'system';
  subtype: 'control_request_progress';
  request_id: string;
  status: 'started' | 'api_retry';
  attempt?: number;
  max_retries?: number;
  retry_delay_ms?: number;
  error_status?: number | null;
  uuid: UUID;
  session_id: string;
};

/** The agent wants a dialog of a kind that the host announced in `initialize`. */
export type SDKControlRequestUserDialogRequest = {
  subtype: 'request_user_dialog';
  dialog_kind: string;
  payload: Record<string, unknown>;
  tool_use_id?: string;
};

/** The answer to a control request; the id sits inside `response`. Closed: what is neither success nor error is no answer. */
export type SDKControlResponse = {
  type: 'control_response';
  response: ControlResponse | ControlErrorResponse;
  live_only?: boolean;
};

/** Puts the files back to what they were before a prompt. */
export type SDKControlRewindFilesRequest = {
  subtype: 'rewind_files';
  user_message_id: string;
  dry_run?: boolean;
};

/** Tells that the host has read a file, so that the agent may edit it. */
export type SDKControlSeedReadStateRequest = {
  subtype: 'seed_read_state';
  path: string;
  mtime: number;
};

/** Sets the accent colour of the session. */
export type SDKControlSetColorRequest = {
  subtype: 'set_color';
  color: string;
};

/** Tells whether anybody looks at the stream events. */
export type SDKControlSetHasSubscribersRequest = {
  subtype: 'set_has_subscribers';
  has_subscribers: boolean | null;
};

/** Limits the thinking; `null` goes back to the default. */
export type SDKControlSetMaxThinkingTokensRequest = {
  subtype: 'set_max_thinking_tokens';
  max_thinking_tokens?: number | null;
  thinking_display?: 'summarized' | 'omitted' | 'highlights' | null;
};

/** Chooses the model of the turns to come; none, `null` or `default` goes back to the first one. */
export type SDKControlSetModelRequest = {
  subtype: 'set_model';
  model?: string | null;
};

/** The model that is used from now on. */
export type SDKControlSetModelResponse = {
  model?: string | null;
};

/** Changes how much the agent may do without asking. */
export type SDKControlSetPermissionModeRequest = {
  subtype: 'set_permission_mode';
  mode: PermissionMode;
};

/** The mode that holds from now on. */
export type SDKControlSetPermissionModeResponse = {
  mode?: PermissionMode;
};

/** Stops a task; one that has ended already is a success too. */
export type SDKControlStopTaskRequest = {
  subtype: 'stop_task';
  task_id: string;
};

/** Writes one of the few settings that a host may write. */
export type SDKControlUpdateSettingsRequest = {
  subtype: 'update_settings';
  source: 'localSettings' | 'userSettings';
  settings: Record<string, unknown>;
};

/** The conversation starts anew: later messages carry another `session_id` and totals begin at zero. */
export type SDKConversationResetMessage = {
  type: 'conversation_reset';
  new_conversation_id: UUID;
  trigger?: 'clear' | 'plan_mode_exit' | 'fresh_session' | 'onboarding';
  user_message_uuid?: string;
  timestamp?: string;
  uuid: UUID;
  session_id: string;
};

/** A tool call that a hook put off: the turn ended before it ran. */
export type SDKDeferredToolUse = {
  id: string;
  name: string;
  input: Record<string, unknown>;
};

/** What an MCP server asked the user to do at a URL is done. */
export type SDKElicitationCompleteMessage = {
  type: 'system';
  subtype: 'elicitation_complete';
  mcp_server_name: string;
  elicitation_id: string;
  uuid: UUID;
  session_id: string;
};

/** Files were uploaded. */
export type SDKFilesPersistedEvent = {
  type: 'system';
  subtype: 'files_persisted';
  files: {
    filename: string;
    file_id: string;
  }[];
  failed: {
    filename: string;
    error: string;
  }[];
  processed_at: string;
  uuid: UUID;
  session_id: string;
};

/** Callbacks for one event. Hosts leave `matcher` out, or write an empty one, or `null`. */
export type SDKHookCallbackMatcher = {
  matcher?: string | null;
  hookCallbackIds: string[];
  timeout?: number;
  onFailure?: 'continue' | 'block';
};

/** The agent calls a hook of the host, by the id it was registered with. */
export type SDKHookCallbackRequest = {
  subtype: 'hook_callback';
  callback_id: string;
  input: HookInput;
  tool_use_id?: string;
};

/** What a hook wrote so far. */
export type SDKHookProgressMessage = {
  type: 'system';
  subtype: 'hook_progress';
  hook_id: string;
  hook_name: string;
  hook_event: string;
  stdout: string;
  stderr: string;
  output: string;
  uuid: UUID;
  session_id: string;
};

/** A hook is done. */
export type SDKHookResponseMessage = {
  type: 'system';
  subtype: 'hook_response';
  hook_id: string;
  hook_name: string;
  hook_event: string;
  output: string;
  stdout: string;
  stderr: string;
  exit_code?: number;
  outcome: 'success' | 'error' | 'cancelled';
  uuid: UUID;
  session_id: string;
};

/** A hook began to run. */
export type SDKHookStartedMessage = {
  type: 'system';
  subtype: 'hook_started';
  hook_id: string;
  hook_name: string;
  hook_event: string;
  uuid: UUID;
  session_id: string;
};

/** A text for the transcript. */
export type SDKInformationalMessage = {
  type: 'system';
  subtype: 'informational';
  content: string;
  level: 'info' | 'notice' | 'suggestion' | 'warning';
  tool_use_id?: string;
  prevent_continuation?: boolean;
  tag?: string;
  uuid: UUID;
  session_id: string;
};

/** A sign of life; carries nothing to act on. */
export type SDKKeepAliveMessage = {
  type: 'keep_alive';
  startup_mark?: string;
};

/** What a local slash command printed. */
export type SDKLocalCommandOutputMessage = {
  type: 'system';
  subtype: 'local_command_output';
  content: string;
  uuid: UUID;
  session_id: string;
};

/** A file that an MCP tool points to. */
export type SDKMcpResourceLink = {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
  annotations?: Record<string, unknown>;
};

/** Memories were brought into the context. */
export type SDKMemoryRecallMessage = {
  type: 'system';
  subtype: 'memory_recall';
  mode: 'select' | 'synthesize';
  memories: {
    path: string;
    scope: 'personal' | 'team' | 'organization';
    content?: string;
  }[];
  uuid: UUID;
  session_id: string;
};

/** Who a message came from. An unknown `kind` means: not a person. */
export type SDKMessageOrigin =
  | {
      kind: 'human' | 'coordinator' | 'unclassified' | 'auto-continuation' | 'observer-activity';
    }
  | {
      kind: 'channel';
      server: string;
    }
  | {
      kind: 'peer';
      from: string;
      fromMode?: 'bypass' | 'prompting';
      name?: string;
      fromSession?: string;
      senderTaskId?: string;
      body?: string;
      verifiedPeerPid?: number;
    }
  | {
      kind: 'task-notification';
      subkind?: 'scheduled-trigger' | 'peer-send-message' | 'projects-relay' | 'session-inbox' | 'external-event';
      fireReason?: string;
      runId?: string;
    }
  | {
      kind: 'observer';
      from: string;
      senderTaskId: string;
    };

/** The session store of a host failed to append. Made by host libraries, never sent by an agent. */
export type SDKMirrorErrorMessage = {
  type: 'system';
  subtype: 'mirror_error';
  error: string;
  key: {
    projectKey: string;
    sessionId: string;
    subpath?: string;
  };
  uuid: UUID;
  session_id: string;
};

/** A model could not serve, and another one took over. Seen, not declared. */
export type SDKModelFallbackMessage = {
  type: 'system';
  subtype: 'model_fallback';
  trigger: 'overloaded' | 'server_error' | 'last_resort' | 'model_not_found' | 'permission_denied';
  original_model?: string;
  fallback_model?: string;
  content?: string;
  uuid: UUID;
  session_id: string;
};

/** A model refused, and another one was asked. */
export type SDKModelRefusalFallbackMessage = {
  type: 'system';
  subtype: 'model_refusal_fallback';
  trigger: 'refusal';
  direction: 'retry' | 'revert' | 'sticky';
  scope?: 'session' | 'local';
  original_model: string;
  fallback_model: string;
  request_id: string | null;
  api_refusal_category?: string | null;
  api_refusal_explanation?: string | null;
  retracted_message_uuids?: string[];
  refused_user_message_uuid?: string | null;
  content: string;
  uuid: UUID;
  session_id: string;
};

/** A model refused, and no other one was asked. */
export type SDKModelRefusalNoFallbackMessage = {
  type: 'system';
  subtype: 'model_refusal_no_fallback';
  original_model: string;
  request_id: string | null;
  api_refusal_category?: string | null;
  api_refusal_explanation?: string | null;
  refused_user_message_uuid?: string | null;
  content: string;
  uuid: UUID;
  session_id: string;
};

/** A text for the notification area. */
export type SDKNotificationMessage = {
  type: 'system';
  subtype: 'notification';
  key: string;
  text: string;
  priority: 'low' | 'medium' | 'high' | 'immediate';
  color?: string;
  timeout_ms?: number;
  uuid: UUID;
  session_id: string;
};

/** One stream event of the model API, as it arrives. */
export type SDKPartialAssistantMessage = {
  type: 'stream_event';
  event: StreamEvent;
  parent_tool_use_id: string | null;
  ttft_ms?: number;
  user_message_uuid?: string;
  user_message_uuids?: string[];
  resume_reason?: string;
  thinking_display?: string;
  api_message_id?: string;
  owed_rows?: unknown[];
  uuid: UUID;
  session_id: string;
};

/** A tool call that was not allowed. */
export type SDKPermissionDenial = {
  tool_name: string;
  tool_use_id: string;
  tool_input: Record<string, unknown>;
};

/** A tool call was denied without asking the host. */
export type SDKPermissionDeniedMessage = {
  type: 'system';
  subtype: 'permission_denied';
  tool_name: string;
  tool_use_id: string;
  agent_id?: string;
  decision_reason_type?: string;
  decision_reason?: string;
  message: string;
  uuid: UUID;
  session_id: string;
};

/** A rule in words, in three parts. */
export type SDKPermissionRuleDescription = {
  prefix: string;
  emphasis?: string;
  suffix?: string;
};

/** A rule, and where it comes from. */
export type SDKPermissionRuleEntry = {
  behavior: 'allow' | 'deny' | 'ask';
  source:
    | 'userSettings'
    | 'projectSettings'
    | 'localSettings'
    | 'flagSettings'
    | 'policySettings'
    | 'cliArg'
    | 'command'
    | 'session'
    | 'mcpMount'
    | 'toolsNarrowing'
    | 'mcpServerPolicy'
    | 'hostCredential';
  rule: string;
  description?: SDKPermissionRuleDescription;
  editability: 'persistent' | 'session' | 'readonly';
  notInEffect?: boolean;
};

/** A directory the agent may use, and who said so. */
export type SDKPermissionWorkspaceDirectory = {
  path: string;
  source: string;
};

/** Plugins are being installed. */
export type SDKPluginInstallMessage = {
  type: 'system';
  subtype: 'plugin_install';
  status: 'started' | 'installed' | 'failed' | 'completed';
  name?: string;
  error?: string;
  uuid: UUID;
  session_id: string;
};

/** A prompt the user may want to send next; follows a result. */
export type SDKPromptSuggestionMessage = {
  type: 'prompt_suggestion';
  suggestion: string;
  uuid: UUID;
  session_id: string;
};

/** A notification for an agent that has the capability `queued_notifications`; what else it carries is not known. */
export type SDKQueuedNotificationMessage = {
  type: 'queued_notification';
};

/** The limits of the plan changed. */
export type SDKRateLimitEvent = {
  type: 'rate_limit_event';
  rate_limit_info: SDKRateLimitInfo;
  uuid: UUID;
  session_id: string;
};

/** Where the session stands with the limits of its plan. Times are in seconds since 1970. */
export type SDKRateLimitInfo = {
  status: 'allowed' | 'allowed_warning' | 'rejected';
  resetsAt?: number;
  rateLimitType?:
    | 'five_hour'
    | 'seven_day'
    | 'seven_day_opus'
    | 'seven_day_sonnet'
    | 'seven_day_overage_included'
    | 'overage';
  utilization?: number;
  overageStatus?: 'allowed' | 'allowed_warning' | 'rejected';
  overageResetsAt?: number;
  overageDisabledReason?:
    | 'overage_not_provisioned'
    | 'org_level_disabled'
    | 'org_level_disabled_until'
    | 'out_of_credits'
    | 'seat_tier_level_disabled'
    | 'member_level_disabled'
    | 'seat_tier_zero_credit_limit'
    | 'group_zero_credit_limit'
    | 'member_zero_credit_limit'
    | 'org_service_level_disabled'
    | 'no_limits_configured'
    | 'fetch_error'
    | 'unknown';
  isUsingOverage?: boolean;
  overageInUse?: boolean;
  overageEnabled?: boolean;
  surpassedThreshold?: number;
  limitScope?: 'service' | 'channel' | 'group_pool';
  errorCode?: 'credits_required';
  canUserPurchaseCredits?: boolean;
  hasChargeableSavedPaymentMethod?: boolean;
};

/** The end of a turn that was cut: interrupted, failed, or over a limit. */
export type SDKResultError = {
  type: 'result';
  subtype:
    | 'error_during_execution'
    | 'error_max_turns'
    | 'error_max_budget_usd'
    | 'error_max_structured_output_retries';
  duration_ms: number;
  duration_api_ms: number;
  is_error: boolean;
  num_turns: number;
  stop_reason: string | null;
  total_cost_usd: number;
  usage: NonNullableUsage;
  modelUsage: Record<string, ModelUsage>;
  permission_denials: SDKPermissionDenial[];
  queued_turn_count?: number;
  errors: string[];
  startup_failure_reason?: SDKStartupFailureReason;
  invalid_config_file?: {
    path: string;
    is_global: boolean;
    backup_searched: boolean;
    backup_path?: string;
  };
  user_message_uuid?: string;
  user_message_uuids?: string[];
  resume_reason?: string;
  terminal_reason?: TerminalReason;
  result_index?: number;
  credential_expires_at?: string;
  fast_mode_state?: FastModeState;
  fast_mode_disabled_reason?: FastModeDisabledReason;
  origin?: SDKMessageOrigin;
  subagent_stats?: Record<string, unknown>;
  safety_stops?: number;
  model_usage_since_last_result?: Record<string, ModelUsage>;
  uuid: UUID;
  session_id: string;
};

/** The end of a turn that ran through. `is_error` tells an answer of the model from an API error. */
export type SDKResultSuccess = {
  type: 'result';
  subtype: 'success';
  duration_ms: number;
  duration_api_ms: number;
  ttft_ms?: number;
  ttft_stream_ms?: number;
  time_to_request_ms?: number;
  user_message_uuid?: string;
  user_message_uuids?: string[];
  resume_reason?: string;
  local_command?: string;
  request_sent_wall_ms?: number;
  first_content_frame_ms?: number;
  first_stream_post_ms?: number;
  first_stream_post_ack_ms?: number;
  first_stream_post_queue_wait_ms?: number;
  first_stream_post_queued_behind?: 'durable_post' | 'ephemeral_post' | 'retry_backoff' | 'hold' | 'none';
  first_stream_post_wall_ms?: number;
  first_text_post_ms?: number;
  first_text_post_queue_wait_ms?: number;
  first_text_post_queued_behind?: 'durable_post' | 'ephemeral_post' | 'retry_backoff' | 'hold' | 'none';
  first_text_post_wall_ms?: number;
  time_to_request_from_spawn_ms?: number;
  warm_spare_claimed?: boolean;
  time_origin_ms?: number;
  is_error: boolean;
  api_error_status?: number | null;
  num_turns: number;
  result: string;
  stop_reason: string | null;
  total_cost_usd: number;
  usage: NonNullableUsage;
  modelUsage: Record<string, ModelUsage>;
  permission_denials: SDKPermissionDenial[];
  queued_turn_count?: number;
  structured_output?: unknown;
  deferred_tool_use?: SDKDeferredToolUse;
  terminal_reason?: TerminalReason;
  result_index?: number;
  credential_expires_at?: string;
  fast_mode_state?: FastModeState;
  fast_mode_disabled_reason?: FastModeDisabledReason;
  origin?: SDKMessageOrigin;
  subagent_stats?: Record<string, unknown>;
  safety_stops?: number;
  api_error_type?: string;
  model_usage_since_last_result?: Record<string, ModelUsage>;
  first_request_input_tokens?: number;
  first_request_cache_read_input_tokens?: number;
  uuid: UUID;
  session_id: string;
};

/** Whether the session works, waits for someone, or is idle: `idle` comes after the result. */
export type SDKSessionStateChangedMessage = {
  type: 'system';
  subtype: 'session_state_changed';
  state: 'idle' | 'running' | 'requires_action';
  sdk_host_only?: boolean;
  uuid: UUID;
  session_id: string;
};

/** The session has another title. Seen, not declared. */
export type SDKSessionTitleChangedMessage = {
  type: 'system';
  subtype: 'session_title_changed';
  title: string;
  uuid: UUID;
  session_id: string;
};

/** The disk was full: parts of the session were not saved. */
export type SDKSessionWritesLostMessage = {
  type: 'system';
  subtype: 'session_writes_lost';
  error_code: 'ENOSPC' | 'EDQUOT';
  lost: ('transcript' | 'global_config')[];
  transcript_session_ids?: string[];
  uuid: UUID;
  session_id: string;
};

/** What is wrong with a file of settings. */
export type SDKSettingsParseError = {
  file?: string;
  path: string;
  message: string;
};

/** Why the agent refused to start. */
export type SDKStartupFailureReason =
  | 'org_pin_api_key_conflict'
  | 'provider_not_allowed'
  | 'org_verify_failed'
  | 'org_pin_mismatch'
  | 'managed_settings_invalid'
  | 'remote_settings_required_unavailable'
  | 'gateway_signin_required'
  | 'gateway_access_denied'
  | 'proxy_invalid'
  | 'temp_dir_unusable'
  | 'cwd_unavailable'
  | 'shell_tool_missing'
  | 'session_held_by_background'
  | 'worktree_resume_refused'
  | 'worktree_unverified'
  | 'cli_version_too_old'
  | 'bypass_root'
  | 'org_config_required_unavailable'
  | 'org_config_refused'
  | 'sandbox_required_unavailable'
  | 'initialize_not_first'
  | 'config_file_invalid'
  | 'managed_settings_not_delivered'
  | 'initialize_fields_not_delivered';

/** What the agent is busy with; null is nothing of note. */
export type SDKStatus = 'compacting' | 'requesting' | null;

/** What the agent is busy with, or a change of its permission mode. */
export type SDKStatusMessage = {
  type: 'system';
  subtype: 'status';
  status: SDKStatus;
  permissionMode?: PermissionMode;
  compact_result?: 'success' | 'failed';
  compact_error?: string;
  compact_output_chars?: number;
  user_message_uuids?: string[];
  uuid: UUID;
  session_id: string;
};

/** What the agent runs with. Comes at the start of every turn; the newest one counts. */
export type SDKSystemMessage = {
  type: 'system';
  subtype: 'init';
  agents?: string[];
  apiKeySource: ApiKeySource;
  betas?: string[];
  claude_code_version: string;
  cwd: string;
  tools: string[];
  mcp_servers: {
    name: string;
    status: string;
    source?: string;
  }[];
  model: string;
  permissionMode: PermissionMode;
  slash_commands: string[];
  terminal_slash_commands?: string[];
  output_style: string;
  skills: string[];
  plugins: {
    name: string;
    path: string;
    version?: string;
  }[];
  plugin_errors?: {
    plugin: string;
    type: string;
    message: string;
    path?: string;
    managed_lock?: {
      plugin_enabled: boolean;
      name: string;
      marketplace?: string;
    };
  }[];
  fast_mode_state?: FastModeState;
  fast_mode_disabled_reason?: FastModeDisabledReason;
  effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | null;
  view_mode?: 'focus' | 'default';
  capabilities?: string[];
  analytics_disabled?: boolean;
  product_feedback_disabled?: boolean;
  memory_paths?: Record<string, unknown>;
  original_cwd?: string;
  additional_directories?: string[];
  messaging_socket_path?: string;
  per_turn_effort_active?: boolean;
  ultrathink_available?: boolean;
  ultrathink_typed_raises?: boolean;
  user_message_uuids?: string[];
  uuid: UUID;
  session_id: string;
};

/** A task ended. */
export type SDKTaskNotificationMessage = {
  type: 'system';
  subtype: 'task_notification';
  task_id: string;
  run_id?: string;
  tool_use_id?: string;
  status: 'completed' | 'failed' | 'stopped';
  reason?: 'worker_restart';
  output_file: string;
  summary: string;
  usage?: {
    total_tokens: number;
    tool_uses: number;
    duration_ms: number;
  };
  resource_links?: SDKMcpResourceLink[];
  skip_transcript?: boolean;
  ambient?: boolean;
  uuid: UUID;
  session_id: string;
};

/** How far a task is. */
export type SDKTaskProgressMessage = {
  type: 'system';
  subtype: 'task_progress';
  task_id: string;
  run_id?: string;
  tool_use_id?: string;
  description: string;
  subagent_type?: string;
  usage: {
    total_tokens: number;
    tool_uses: number;
    duration_ms: number;
  };
  last_tool_name?: string;
  summary?: string;
  uuid: UUID;
  session_id: string;
};

/** A subagent, background shell, monitor or workflow was registered. */
export type SDKTaskStartedMessage = {
  type: 'system';
  subtype: 'task_started';
  task_id: string;
  run_id?: string;
  tool_use_id?: string;
  description: string;
  subagent_type?: string;
  is_backgrounded?: boolean;
  spawn_depth?: number;
  parent_task_id?: string;
  task_type?: string;
  workflow_name?: string;
  prompt?: string;
  skip_transcript?: boolean;
  ambient?: boolean;
  uuid: UUID;
  session_id: string;
};

/** Members of a task changed; its end may be told nowhere else. */
export type SDKTaskUpdatedMessage = {
  type: 'system';
  subtype: 'task_updated';
  task_id: string;
  run_id?: string;
  patch: {
    status?: 'pending' | 'running' | 'completed' | 'failed' | 'killed' | 'paused';
    description?: string;
    end_time?: number;
    total_paused_ms?: number;
    error?: string;
    is_backgrounded?: boolean;
  };
  uuid: UUID;
  session_id: string;
};

/** How much was thought so far, while the text of it is withheld. */
export type SDKThinkingTokensMessage = {
  type: 'system';
  subtype: 'thinking_tokens';
  estimated_tokens: number;
  estimated_tokens_delta: number;
  user_message_uuid?: string;
  uuid: UUID;
  session_id: string;
};

/** A tool is still running; also a sign of life while a hook of the host is awaited. */
export type SDKToolProgressMessage = {
  type: 'tool_progress';
  tool_use_id: string;
  tool_name: string;
  parent_tool_use_id: string | null;
  elapsed_time_seconds: number;
  task_id?: string;
  heartbeat?: boolean;
  subagent_type?: string;
  subagent_retry?: {
    agent_id: string;
    attempt: number;
    max_retries: number;
    retry_delay_ms: number;
    error_status: number | null;
    error_category: string;
  };
  uuid: UUID;
  session_id: string;
};

/** A summary of tool calls that went before. */
export type SDKToolUseSummaryMessage = {
  type: 'tool_use_summary';
  summary: string;
  preceding_tool_use_ids: string[];
  uuid: UUID;
  session_id: string;
};

/** Entries for a session store of the host. Seen, not declared; carries neither `uuid` nor `session_id`. */
export type SDKTranscriptMirrorMessage = {
  type: 'transcript_mirror';
  filePath: string;
  entries: SessionStoreEntry[];
};

/** Something a user interface shows is out of date. Seen, not declared. */
export type SDKUiInvalidateMessage = {
  type: 'system';
  subtype: 'ui_invalidate';
  event: string;
  uuid: UUID;
  session_id: string;
};

/** Environment variables the agent shall use from now on. Seen, not declared. */
export type SDKUpdateEnvironmentVariablesMessage = {
  type: 'update_environment_variables';
  variables: Record<string, string>;
};

/** What the session cost, and how near the plan limits are. */
export type SDKUsageReport = {
  session: {
    total_cost_usd: number;
    total_api_duration_ms: number;
    total_duration_ms: number;
    total_lines_added: number;
    total_lines_removed: number;
    model_usage: Record<string, ModelUsage>;
  };
  rate_limits: {
    limits:
      | {
          kind: string;
          group: string;
          percent: number;
          resets_at: string | null;
          scope?: {
            model?: {
              display_name: string;
            } | null;
            surface?: {
              display_name: string;
            } | null;
          } | null;
          severity: string;
          is_active: boolean;
        }[]
      | null;
    extra_usage?: {
      is_enabled: boolean;
      monthly_limit: number | null;
      used_credits: number | null;
      utilization: number | null;
      currency?: string | null;
    } | null;
  } | null;
};

/** From the host a prompt; from the agent a tool result or a text it made up. */
export type SDKUserMessage = {
  type: 'user';
  message: MessageParam;
  parent_tool_use_id: string | null;
  isSynthetic?: boolean;
  tool_use_result?: unknown;
  priority?: 'now' | 'next' | 'later';
  origin?: SDKMessageOrigin;
  shouldQuery?: boolean;
  timestamp?: string;
  client_composed?: true;
  uuid?: UUID;
  session_id?: string;
  pasted_content?: PromptContent[];
  inline_pastes?: string[];
  agent_id?: string;
  subagent_type?: string;
  task_description?: string;
  tool_result_meta?: ToolResultMeta[];
};

/** The echo of a prompt the agent took. */
export type SDKUserMessageReplay = {
  type: 'user';
  message: MessageParam;
  parent_tool_use_id: string | null;
  isSynthetic?: boolean;
  tool_use_result?: unknown;
  priority?: 'now' | 'next' | 'later';
  origin?: SDKMessageOrigin;
  shouldQuery?: boolean;
  timestamp?: string;
  client_composed?: true;
  isReplay: true;
  file_attachments?: unknown[];
  tool_result_meta?: ToolResultMeta[];
  uuid: UUID;
  session_id: string;
};

/** A remote worker leaves in good order. That none came proves nothing. */
export type SDKWorkerShuttingDownMessage = {
  type: 'system';
  subtype: 'worker_shutting_down';
  reason: string;
  uuid: UUID;
  session_id: string;
};

/** A plugin as a host names it. */
export type SdkPluginConfig = {
  type: 'local';
  path: string;
  skipMcpDiscovery?: boolean;
};

/** A passage found by a search, which the model may cite. */
export type SearchResultBlock = {
  type: 'search_result';
  source: string;
  title: string;
  content: unknown[];
};

/** What a tool of the model API gave. */
export type ServerToolResultBlock = {
  type:
    | 'web_search_tool_result'
    | 'web_fetch_tool_result'
    | 'code_execution_tool_result'
    | 'bash_code_execution_tool_result'
    | 'text_editor_code_execution_tool_result'
    | 'tool_search_tool_result'
    | 'advisor_tool_result';
  tool_use_id: string;
  content: unknown;
};

/** A call of a tool that the model API ran itself. */
export type ServerToolUseBlock = {
  type: 'server_tool_use';
  id: string;
  name: string;
  input: unknown;
  caller?: unknown;
  toolset_name?: string | null;
};

/** A prompt that comes back on a schedule. */
export type SessionCronSummary = {
  id: string;
  schedule: string;
  recurring: boolean;
  prompt: string;
};

/** A session ends. */
export type SessionEndHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  reason: ExitReason;
  hook_event_name: 'SessionEnd';
};

/** A session begins, or begins again. */
export type SessionStartHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  source: 'startup' | 'resume' | 'clear' | 'compact' | 'fork';
  model?: string;
  session_title?: string;
  seconds_since_last_response?: number;
  context_tokens?: number;
  prompt_cache_likely_expired?: boolean;
  estimated_cache_write_usd?: number;
  hook_event_name: 'SessionStart';
};

/** What a hook of `SessionStart` may answer beside the common members. */
export type SessionStartHookSpecificOutput = {
  hookEventName: 'SessionStart';
  additionalContext?: string;
  initialUserMessage?: string;
  sessionTitle?: string;
  watchPaths?: string[];
  reloadSkills?: boolean;
};

/** One entry of a transcript file, passed on as it is. */
export type SessionStoreEntry = {
  type: string;
  uuid?: string;
  timestamp?: string;
};

/** The agent is being set up, before a session begins. */
export type SetupHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  trigger: 'init' | 'maintenance';
  hook_event_name: 'Setup';
};

/** What a hook of `Setup` may answer beside the common members. */
export type SetupHookSpecificOutput = {
  hookEventName: 'Setup';
  additionalContext?: string;
};

/** A slash command that can be typed in a prompt. */
export type SlashCommand = {
  name: string;
  description: string;
  argumentHint: string;
  aliases?: string[];
  builtin?: boolean;
};

/** A turn ended with an error of the model service. */
export type StopFailureHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  error: SDKAssistantMessageError;
  error_details?: string;
  last_assistant_message?: string;
  hook_event_name: 'StopFailure';
};

/** The agent is about to end its turn. */
export type StopHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  stop_hook_active: boolean;
  last_assistant_message?: string;
  background_tasks?: BackgroundTaskSummary[];
  session_crons?: SessionCronSummary[];
  hook_event_name: 'Stop';
};

/** What a hook of `Stop` may answer beside the common members. */
export type StopHookSpecificOutput = {
  hookEventName: 'Stop';
  additionalContext?: string;
};

/** Why the model stopped. */
export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'compaction'
  | 'refusal'
  | 'model_context_window_exceeded';

/** One event of a reply of the model API while it streams. */
export type StreamEvent =
  | {
      type: 'message_start';
      message: ApiMessage;
    }
  | {
      type: 'content_block_start';
      index: number;
      content_block: ContentBlock;
    }
  | {
      type: 'content_block_delta';
      index: number;
      delta: StreamEventDelta;
    }
  | {
      type: 'content_block_stop';
      index: number;
    }
  | {
      type: 'message_delta';
      delta: {
        stop_reason: StopReason | null;
        stop_sequence: string | null;
      };
      usage: ApiUsageDelta;
      context_management?: unknown;
    }
  | {
      type: 'message_stop';
    };

/** What a content block grows by. */
export type StreamEventDelta =
  | {
      type: 'text_delta';
      text: string;
    }
  | {
      type: 'input_json_delta';
      partial_json: string;
    }
  | {
      type: 'thinking_delta';
      thinking: string;
      estimated_tokens?: number | null;
    }
  | {
      type: 'signature_delta';
      signature: string;
    }
  | {
      type: 'citations_delta';
      citation: unknown;
    }
  | {
      type: 'compaction_delta';
      content?: string | null;
      encrypted_content?: string | null;
    };

/** A subagent begins. */
export type SubagentStartHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id: string;
  agent_type: string;
  effort?: {
    level: string;
  };
  hook_event_name: 'SubagentStart';
};

/** What a hook of `SubagentStart` may answer beside the common members. */
export type SubagentStartHookSpecificOutput = {
  hookEventName: 'SubagentStart';
  additionalContext?: string;
};

/** A subagent is about to end. */
export type SubagentStopHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id: string;
  agent_type: string;
  effort?: {
    level: string;
  };
  stop_hook_active: boolean;
  agent_transcript_path: string;
  last_assistant_message?: string;
  background_tasks?: BackgroundTaskSummary[];
  session_crons?: SessionCronSummary[];
  hook_event_name: 'SubagentStop';
};

/** What a hook of `SubagentStop` may answer beside the common members. */
export type SubagentStopHookSpecificOutput = {
  hookEventName: 'SubagentStop';
  additionalContext?: string;
};

/** What a hook decided; an empty object is no opinion. */
export type SyncHookJSONOutput = {
  async?: false;
  continue?: boolean;
  suppressOutput?: boolean;
  stopReason?: string;
  decision?: 'approve' | 'block';
  systemMessage?: string;
  terminalSequence?: string;
  reason?: string;
  hookSpecificOutput?: HookSpecificOutput;
};

/** A task is about to be completed. */
export type TaskCompletedHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  task_id: string;
  task_subject: string;
  task_description?: string;
  teammate_name?: string;
  team_name?: string;
  hook_event_name: 'TaskCompleted';
};

/** A task is about to be created. */
export type TaskCreatedHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  task_id: string;
  task_subject: string;
  task_description?: string;
  teammate_name?: string;
  team_name?: string;
  hook_event_name: 'TaskCreated';
};

/** A teammate has nothing to do. */
export type TeammateIdleHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  teammate_name: string;
  team_name: string;
  hook_event_name: 'TeammateIdle';
};

/** Why the loop of the turn ended. */
export type TerminalReason =
  | 'blocking_limit'
  | 'rapid_refill_breaker'
  | 'prompt_too_long'
  | 'image_error'
  | 'model_error'
  | 'api_error'
  | 'malformed_tool_use_exhausted'
  | 'aborted_streaming'
  | 'aborted_tools'
  | 'stop_hook_prevented'
  | 'hook_stopped'
  | 'tool_deferred'
  | 'max_turns'
  | 'background_requested'
  | 'completed'
  | 'budget_exhausted'
  | 'structured_output_retry_exhausted'
  | 'tool_deferred_unavailable'
  | 'turn_setup_failed';

/** Text of the model, of a prompt or of a tool. */
export type TextBlock = {
  type: 'text';
  text: string;
  citations?: unknown[] | null;
};

/** What the model thought; must go back to it unchanged, hence the signature. */
export type ThinkingBlock = {
  type: 'thinking';
  thinking: string;
  signature: string;
};

/** A tool that a search for tools found. */
export type ToolReferenceBlock = {
  type: 'tool_reference';
  tool_name: string;
};

/** What a tool gave, for the model to read. */
export type ToolResultBlock = {
  type: 'tool_result';
  tool_use_id: string;
  content?:
    | string
    | (TextBlock | ImageBlock | DocumentBlock | SearchResultBlock | ToolReferenceBlock | BrowserStateBlock)[];
  is_error?: boolean;
};

/** How it came that a tool ran or did not. Seen, not declared. */
export type ToolResultMeta = {
  id: string;
  non_execution_kind?: 'permission-rule' | 'user-rejected';
  permission_decision?: {
    decision: 'accept' | 'reject';
    source: 'user_temporary' | 'user_permanent' | 'user_reject' | 'hook' | 'config';
    reason_type?: string;
  };
};

/** A call of a tool that the agent runs. */
export type ToolUseBlock = {
  type: 'tool_use';
  id: string;
  name: string;
  input: unknown;
  caller?: unknown;
  toolset_name?: string | null;
};

/** What became of a dialog. */
export type UserDialogResult =
  | {
      behavior: 'completed';
      result: unknown;
    }
  | {
      behavior: 'cancelled';
    };

/** A command is about to become the prompt it stands for. */
export type UserPromptExpansionHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  expansion_type: 'slash_command' | 'mcp_prompt';
  command_name: string;
  command_args: string;
  command_source?: string;
  prompt: string;
  hook_event_name: 'UserPromptExpansion';
};

/** What a hook of `UserPromptExpansion` may answer beside the common members. */
export type UserPromptExpansionHookSpecificOutput = {
  hookEventName: 'UserPromptExpansion';
  additionalContext?: string;
  suppressOriginalPrompt?: boolean;
};

/** A prompt is about to be taken. */
export type UserPromptSubmitHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  prompt: string;
  source?: 'user' | 'sdk' | 'system' | 'loop_wakeup' | 'schedule_wakeup' | 'poll_event';
  session_title?: string;
  hook_event_name: 'UserPromptSubmit';
};

/** What a hook of `UserPromptSubmit` may answer beside the common members. */
export type UserPromptSubmitHookSpecificOutput = {
  hookEventName: 'UserPromptSubmit';
  additionalContext?: string;
  sessionTitle?: string;
  suppressOriginalPrompt?: boolean;
};

/** A worktree is wanted; the hook makes it and answers with its path. */
export type WorktreeCreateHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  name: string;
  hook_event_name: 'WorktreeCreate';
};

/** What a hook of `WorktreeCreate` may answer beside the common members. */
export type WorktreeCreateHookSpecificOutput = {
  hookEventName: 'WorktreeCreate';
  worktreePath: string;
};

/** A worktree is no longer wanted. */
export type WorktreeRemoveHookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id?: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
  effort?: {
    level: string;
  };
  worktree_path: string;
  hook_event_name: 'WorktreeRemove';
};

/** Every message of an agent, by `type` or `type/subtype`. The echo of a prompt has no subtype of its own; it is told by `isReplay`. */
export interface MessagesFromAgent {
  assistant: SDKAssistantMessage;
  user: SDKUserMessage;
  'user/replay': SDKUserMessageReplay;
  stream_event: SDKPartialAssistantMessage;
  'result/success': SDKResultSuccess;
  'result/error_during_execution': SDKResultError;
  'result/error_max_turns': SDKResultError;
  'result/error_max_budget_usd': SDKResultError;
  'result/error_max_structured_output_retries': SDKResultError;
  'system/init': SDKSystemMessage;
  'system/compact_boundary': SDKCompactBoundaryMessage;
  'system/status': SDKStatusMessage;
  'system/api_retry': SDKAPIRetryMessage;
  'system/control_request_progress': SDKControlRequestProgressMessage;
  'system/model_refusal_fallback': SDKModelRefusalFallbackMessage;
  'system/model_refusal_no_fallback': SDKModelRefusalNoFallbackMessage;
  'system/local_command_output': SDKLocalCommandOutputMessage;
  'system/hook_started': SDKHookStartedMessage;
  'system/hook_progress': SDKHookProgressMessage;
  'system/hook_response': SDKHookResponseMessage;
  'system/plugin_install': SDKPluginInstallMessage;
  'system/task_notification': SDKTaskNotificationMessage;
  'system/task_started': SDKTaskStartedMessage;
  'system/task_updated': SDKTaskUpdatedMessage;
  'system/task_progress': SDKTaskProgressMessage;
  'system/background_tasks_changed': SDKBackgroundTasksChangedMessage;
  'system/thinking_tokens': SDKThinkingTokensMessage;
  'system/session_state_changed': SDKSessionStateChangedMessage;
  'system/worker_shutting_down': SDKWorkerShuttingDownMessage;
  'system/commands_changed': SDKCommandsChangedMessage;
  'system/notification': SDKNotificationMessage;
  'system/files_persisted': SDKFilesPersistedEvent;
  'system/memory_recall': SDKMemoryRecallMessage;
  'system/elicitation_complete': SDKElicitationCompleteMessage;
  'system/permission_denied': SDKPermissionDeniedMessage;
  'system/mirror_error': SDKMirrorErrorMessage;
  'system/informational': SDKInformationalMessage;
  'system/session_writes_lost': SDKSessionWritesLostMessage;
  'system/model_fallback': SDKModelFallbackMessage;
  'system/session_title_changed': SDKSessionTitleChangedMessage;
  'system/ui_invalidate': SDKUiInvalidateMessage;
  tool_progress: SDKToolProgressMessage;
  auth_status: SDKAuthStatusMessage;
  tool_use_summary: SDKToolUseSummaryMessage;
  rate_limit_event: SDKRateLimitEvent;
  prompt_suggestion: SDKPromptSuggestionMessage;
  conversation_reset: SDKConversationResetMessage;
  active_goal: SDKActiveGoalMessage;
  keep_alive: SDKKeepAliveMessage;
  command_lifecycle: SDKCommandLifecycleMessage;
  transcript_mirror: SDKTranscriptMirrorMessage;
  control_request: SDKControlRequest;
  control_response: SDKControlResponse;
  control_cancel_request: SDKControlCancelRequest;
}

/** Every message of a host, by `type`. */
export interface MessagesFromHost {
  user: SDKUserMessage;
  control_request: SDKControlRequest;
  control_response: SDKControlResponse;
  control_cancel_request: SDKControlCancelRequest;
  keep_alive: SDKKeepAliveMessage;
  update_environment_variables: SDKUpdateEnvironmentVariablesMessage;
  queued_notification: SDKQueuedNotificationMessage;
}

/** The body of each control request that is declared, by `subtype`. */
export interface ControlRequests {
  initialize: SDKControlInitializeRequest;
  interrupt: SDKControlInterruptRequest;
  rename_session: SDKControlRenameSessionRequest;
  set_color: SDKControlSetColorRequest;
  cancel_async_message: SDKControlCancelAsyncMessageRequest;
  set_has_subscribers: SDKControlSetHasSubscribersRequest;
  get_session_cost: SDKControlGetSessionCostRequest;
  get_binary_version: SDKControlGetBinaryVersionRequest;
  set_model: SDKControlSetModelRequest;
  set_max_thinking_tokens: SDKControlSetMaxThinkingTokensRequest;
  list_models: SDKControlListModelsRequest;
  can_use_tool: SDKControlPermissionRequest;
  set_permission_mode: SDKControlSetPermissionModeRequest;
  list_permission_rules: SDKControlListPermissionRulesRequest;
  hook_callback: SDKHookCallbackRequest;
  get_hooks_listing: SDKControlGetHooksListingRequest;
  mcp_message: SDKControlMcpMessageRequest;
  mcp_status: SDKControlMcpStatusRequest;
  mcp_call: SDKControlMcpCallRequest;
  mcp_set_servers: SDKControlMcpSetServersRequest;
  mcp_reconnect: SDKControlMcpReconnectRequest;
  mcp_toggle: SDKControlMcpToggleRequest;
  mcp_read_resource: SDKControlMcpReadResourceRequest;
  file_suggestions: SDKControlFileSuggestionsRequest;
  read_file: SDKControlReadFileRequest;
  seed_read_state: SDKControlSeedReadStateRequest;
  rewind_files: SDKControlRewindFilesRequest;
  register_repo_root: SDKControlRegisterRepoRootRequest;
  reload_plugins: SDKControlReloadPluginsRequest;
  reload_skills: SDKControlReloadSkillsRequest;
  reload_output_styles: SDKControlReloadOutputStylesRequest;
  stop_task: SDKControlStopTaskRequest;
  background_tasks: SDKControlBackgroundTasksRequest;
  get_task_output: SDKControlGetTaskOutputRequest;
  apply_flag_settings: SDKControlApplyFlagSettingsRequest;
  get_settings: SDKControlGetSettingsRequest;
  update_settings: SDKControlUpdateSettingsRequest;
  get_context_usage: SDKControlGetContextUsageRequest;
  get_usage: SDKControlGetUsageRequest;
  elicitation: SDKControlElicitationRequest;
  request_user_dialog: SDKControlRequestUserDialogRequest;
}

/** The payload of the answer to each control request whose answer is known, by its `subtype`. */
export interface ControlAnswers {
  initialize: SDKControlInitializeResponse;
  interrupt: SDKControlInterruptResponse;
  cancel_async_message: SDKControlCancelAsyncMessageResponse;
  get_session_cost: SDKControlGetSessionCostResponse;
  get_binary_version: SDKControlGetBinaryVersionResponse;
  set_model: SDKControlSetModelResponse;
  list_models: SDKControlListModelsResponse;
  can_use_tool: PermissionResult;
  set_permission_mode: SDKControlSetPermissionModeResponse;
  list_permission_rules: SDKControlListPermissionRulesResponse;
  hook_callback: HookJSONOutput;
  get_hooks_listing: SDKControlGetHooksListingResponse;
  mcp_message: SDKControlMcpMessageResponse;
  mcp_status: SDKControlMcpStatusResponse;
  mcp_call: SDKControlMcpCallResponse;
  mcp_set_servers: McpSetServersResult;
  mcp_read_resource: SDKControlMcpReadResourceResponse;
  file_suggestions: SDKControlFileSuggestionsResponse;
  read_file: SDKControlReadFileResponse;
  rewind_files: RewindFilesResult;
  reload_plugins: SDKControlReloadPluginsResponse;
  reload_skills: SDKControlReloadSkillsResponse;
  reload_output_styles: SDKControlReloadOutputStylesResponse;
  background_tasks: SDKControlBackgroundTasksResponse;
  get_task_output: SDKControlGetTaskOutputResponse;
  get_settings: SDKControlGetSettingsResponse;
  get_context_usage: SDKControlGetContextUsageResponse;
  get_usage: SDKControlGetUsageResponse;
  elicitation: ElicitationResult;
  request_user_dialog: UserDialogResult;
}

/** A request known here, declared or not. */
export type ControlRequestSubtype =
  | 'initialize'
  | 'interrupt'
  | 'rename_session'
  | 'set_color'
  | 'cancel_async_message'
  | 'set_has_subscribers'
  | 'get_session_cost'
  | 'get_binary_version'
  | 'set_model'
  | 'set_max_thinking_tokens'
  | 'list_models'
  | 'can_use_tool'
  | 'set_permission_mode'
  | 'list_permission_rules'
  | 'hook_callback'
  | 'get_hooks_listing'
  | 'mcp_message'
  | 'mcp_status'
  | 'mcp_call'
  | 'mcp_set_servers'
  | 'mcp_reconnect'
  | 'mcp_toggle'
  | 'mcp_read_resource'
  | 'file_suggestions'
  | 'read_file'
  | 'seed_read_state'
  | 'rewind_files'
  | 'register_repo_root'
  | 'reload_plugins'
  | 'reload_skills'
  | 'reload_output_styles'
  | 'stop_task'
  | 'background_tasks'
  | 'get_task_output'
  | 'apply_flag_settings'
  | 'get_settings'
  | 'update_settings'
  | 'get_context_usage'
  | 'get_usage'
  | 'elicitation'
  | 'request_user_dialog'
  | 'channel_enable'
  | 'claim_session'
  | 'claude_authenticate'
  | 'claude_oauth_callback'
  | 'claude_oauth_wait_for_completion'
  | 'end_session'
  | 'export_conversation'
  | 'generate_session_title'
  | 'get_chrome_browsers'
  | 'get_chrome_dialog'
  | 'get_memory_dialog'
  | 'get_plan'
  | 'get_sandbox_dialog'
  | 'get_skills_dialog'
  | 'get_status'
  | 'mcp_authenticate'
  | 'mcp_clear_auth'
  | 'mcp_oauth_callback_url'
  | 'message_rated'
  | 'remote_control'
  | 'rewind_conversation'
  | 'select_chrome_browser'
  | 'set_chrome_browser_hints'
  | 'set_cwd'
  | 'set_mcp_permission_mode_override'
  | 'set_prompt_suggestions_paused'
  | 'side_question'
  | 'submit_feedback'
  | 'submit_survey_feedback'
  | 'ultrareview_launch'
  | 'oauth_token_refresh'
  | 'host_auth_token_refresh'
  | 'remote_control_work_secret';
