// Generated from src/schemas by `pnpm --filter @proto/core generate`; do not edit.

/** An id in the form that `crypto.randomUUID` returns. */
export type UUID = `${string}-${string}-${string}-${string}-${string}`;

/** The account that the agent is logged in with. */
export type AccountInfo = {
  email?: string;
  organization?: string;
  /** The plan of the account. Absent if the account has no plan, for example with an API key. */
  subscriptionType?: string;
  /** Where the login token comes from. `none` if nobody is logged in. */
  tokenSource?: string;
  /** Where the API key comes from, such as the variable `ANTHROPIC_API_KEY`. Absent if the agent has no key. */
  apiKeySource?: string;
  /** The service that runs the model. `firstParty` is the vendor's own service. All other values are clouds and gateways. */
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

/** A subagent that a host defines. */
export type AgentDefinition = {
  /** When to use the subagent, as text for the model. */
  description: string;
  /** The tools of the subagent. If absent, the subagent has all tools of the session. */
  tools?: string[];
  /** Tools to remove from the tools of the subagent. */
  disallowedTools?: string[];
  /** The system prompt of the subagent. */
  prompt: string;
  /** The model of the subagent, as an alias or an id. `inherit`, the default, means the model of the session. */
  model?: string;
  mcpServers?: AgentMcpServerSpec[];
  criticalSystemReminder_EXPERIMENTAL?: string;
  /** The skills whose full text is given to the subagent when it starts. */
  skills?: string[];
  initialPrompt?: string;
  /** How many turns the subagent may take before it is stopped. */
  maxTurns?: number;
  autoCompactWindow?: number;
  /** If true, the subagent always runs in the background. */
  background?: boolean;
  omitClaudeMd?: boolean;
  /** The memory that the subagent reads and writes. The memory is kept after the session ends. If absent, the subagent has no memory. */
  memory?: 'user' | 'project' | 'local';
  /** The effort level of the subagent's model. */
  effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | number;
  permissionMode?: PermissionMode;
  observer?: string;
  observerMessage?: string;
};

/** A subagent that is available. */
export type AgentInfo = {
  /** The name of the subagent. The tool that starts subagents accepts it as the subagent type. */
  name: string;
  /** When to use the subagent, as text for the model. */
  description: string;
  /** The model of the subagent. `inherit` means the model of the session. */
  model?: string;
};

/** MCP servers for a subagent: the name of one configured server, or definitions of new servers by name. */
export type AgentMcpServerSpec = string | Record<string, McpServerConfigForProcessTransport>;

/** Where the agent's credentials come from. */
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

/** A message from the model. While the message is incomplete, `stop_reason` is `null` and `usage` is not final. */
export type ApiMessage = {
  /** The id of the reply. All messages that contain pieces of the reply have this id. If the agent itself wrote the message, the id is a UUID. */
  id: string;
  type: 'message';
  role: 'assistant';
  /** The model that wrote the reply. `<synthetic>` if the agent itself wrote the message. */
  model: string;
  /** The content of the reply: one completed block in an `assistant` message, and an empty list in a `message_start` event. */
  content: ContentBlock[];
  stop_reason: StopReason | null;
  /** The stop sequence that ended the reply, if a stop sequence ended it. */
  stop_sequence: string | null;
  usage: ApiUsage;
  /** Details of a refusal, in the format of the model API. */
  stop_details?: unknown;
  /** The container in which the model API ran code for this reply. */
  container?: unknown;
  /** How the model API changed the context of the request to keep it small. */
  context_management?: unknown;
  diagnostics?: unknown;
};

/** The tokens used by one call to the model API. The counts are not final while the reply is incomplete. */
export type ApiUsage = {
  /** Tokens of the input that were neither read from the prompt cache nor written to the prompt cache. */
  input_tokens: number;
  /** Tokens that the model wrote, including its thinking. */
  output_tokens: number;
  /** Tokens of the input that were written to the prompt cache. */
  cache_creation_input_tokens?: number | null;
  /** Tokens of the input that were read from the prompt cache. */
  cache_read_input_tokens?: number | null;
  /** The tokens written to the prompt cache, grouped by how long the cache keeps them. */
  cache_creation?: {
    /** Tokens that the prompt cache keeps for five minutes. */
    ephemeral_5m_input_tokens: number;
    /** Tokens that the prompt cache keeps for one hour. */
    ephemeral_1h_input_tokens: number;
  } | null;
  /** How often the model API ran a tool on its servers. */
  server_tool_use?: {
    web_search_requests: number;
    web_fetch_requests: number;
  } | null;
  /** A breakdown of the output tokens. */
  output_tokens_details?: {
    thinking_tokens: number;
  } | null;
  /** The service tier that served the request, such as `standard`, `priority` or `batch`. */
  service_tier?: string | null;
  /** The geographic region where the model ran. */
  inference_geo?: string | null;
  /** The tokens of each round, if the model API ran the model several times for one call. */
  iterations?: unknown[] | null;
  /** The speed at which the model ran, such as `standard` or `fast`. */
  speed?: string | null;
  fallback_credit?: unknown;
};

/** The tokens used so far, as reported in a `message_delta` event. */
export type ApiUsageDelta = {
  /** Tokens that the model wrote, including its thinking. */
  output_tokens: number;
  /** Tokens of the input that were neither read from the prompt cache nor written to the prompt cache. */
  input_tokens?: number | null;
  /** Tokens of the input that were written to the prompt cache. */
  cache_creation_input_tokens?: number | null;
  /** Tokens of the input that were read from the prompt cache. */
  cache_read_input_tokens?: number | null;
  /** How often the model API ran a tool on its servers. */
  server_tool_use?: {
    web_search_requests: number;
    web_fetch_requests: number;
  } | null;
  /** A breakdown of the output tokens. */
  output_tokens_details?: {
    thinking_tokens: number;
  } | null;
  /** The tokens of each round, if the model API ran the model several times for one call. */
  iterations?: unknown[] | null;
  fallback_credit?: unknown;
};

/** The answer of a hook that continues in the background. The agent does not wait for the hook. */
export type AsyncHookJSONOutput = {
  async: true;
  /** How long the hook may continue to run, in milliseconds. */
  asyncTimeout?: number;
};

/** A task that runs in the background. */
export type BackgroundTaskSummary = {
  /** The `task_id` in messages about the task. */
  id: string;
  /** The kind of task, such as `local_bash` or `local_agent`. */
  type: string;
  status: string;
  description: string;
  /** The command line, if the task is a command. */
  command?: string;
  /** The kind of the subagent, if the task is a subagent. */
  agent_type?: string;
  /** The MCP server, if the task is a call to an MCP tool. */
  server?: string;
  /** The MCP tool, if the task is a call to an MCP tool. */
  tool?: string;
  name?: string;
};

/** The members that are part of every hook's input. */
export type BaseHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
};

/** The current contents of a browser, in a format of the model API. */
export type BrowserStateBlock = {
  type: 'browser_state';
};

/** A summary that replaces the part of the conversation that the model API compacted. */
export type CompactionBlock = {
  type: 'compaction';
  /** The summary as text. `null` if the model API could not write a summary. */
  content?: string | null;
  /** Content that only the model API can read. Send the content back unchanged. */
  encrypted_content?: string | null;
};

/** A settings file or a skill has changed. */
export type ConfigChangeHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The kind of the file. The matchers of hooks are compared with this value. */
  source: 'user_settings' | 'project_settings' | 'local_settings' | 'policy_settings' | 'skills';
  file_path?: string;
  hook_event_name: 'ConfigChange';
};

/** A file that was copied into the container in which the model API runs code. */
export type ContainerUploadBlock = {
  type: 'container_upload';
  file_id: string;
};

/** One piece of a message. The type includes the kinds of pieces that either side sends, because transcripts and replays contain messages from both sides. */
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

/** The response to a request that failed. Contains a text for people and, from recent agents, a code for programs. */
export type ControlErrorResponse = {
  subtype: 'error';
  /** The id of the request that this response answers. */
  request_id: string;
  /** Describes what went wrong, as text for people. Programs should use `error_code` instead. */
  error: string;
  /** A code for programs that says what went wrong, such as `unsupported_request`. Older agents and some hosts send no code. */
  error_code?: string;
  /** The model that stays in use. Present only in the response to `set_model`. */
  model?: string;
  pending_permission_requests?: SDKControlRequest[];
  pending_user_dialog_requests?: SDKControlRequest[];
  pending_elicitation_requests?: SDKControlRequest[];
};

/** The response to a request that succeeded. The payload of an acknowledgement is absent or empty. */
export type ControlResponse = {
  subtype: 'success';
  /** The id of the request that this response answers. */
  request_id: string;
  /** The payload of the response. Its members depend on the request. */
  response?: Record<string, unknown>;
  pending_permission_requests?: SDKControlRequest[];
  pending_user_dialog_requests?: SDKControlRequest[];
  pending_elicitation_requests?: SDKControlRequest[];
};

/** The working directory has changed. */
export type CwdChangedHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  old_cwd: string;
  new_cwd: string;
  hook_event_name: 'CwdChanged';
};

/** The members that are specific to the answers of `CwdChanged` hooks. */
export type CwdChangedHookSpecificOutput = {
  hookEventName: 'CwdChanged';
  /** Absolute paths to watch for `FileChanged`. These paths replace the paths that hooks named earlier. */
  watchPaths?: string[];
};

/** The agent was given access to another directory. */
export type DirectoryAddedHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  directory: string;
  /** What added the directory: a command of the user, or the control request `register_repo_root`. */
  source: 'slash_command' | 'register_repo_root';
  hook_event_name: 'DirectoryAdded';
};

/** A document in a prompt or in the output of a tool. */
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
        /** The plain text, not in base64. */
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
        /** The id of a file that was uploaded to the model API earlier. */
        file_id: string;
      };
  /** The title of the document. The model sees the title, but never cites it. */
  title?: string | null;
  /** More information about the document. The model sees this text, but never cites it. */
  context?: string | null;
  citations?: {
    /** Whether the model may cite passages of the document. */
    enabled?: boolean;
  } | null;
};

/** An MCP server asks the user a question. The hook may answer in place of the user. */
export type ElicitationHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The server that asks the question. The matchers of hooks are compared with this value. */
  mcp_server_name: string;
  /** The server's question, as text for the user. */
  message: string;
  /** How the user answers. With `form`, the default, the user fills in fields. With `url`, the user is sent to a web page. */
  mode?: 'form' | 'url';
  /** The web page to open. Present only with the mode `url`. */
  url?: string;
  /** The id of the question. Present only with the mode `url`. The message `elicitation_complete` repeats this id when the user is done. */
  elicitation_id?: string;
  /** The JSON Schema of the fields to fill in. Only with the mode `form`. */
  requested_schema?: Record<string, unknown>;
  hook_event_name: 'Elicitation';
};

/** The members that are specific to the answers of `Elicitation` hooks. */
export type ElicitationHookSpecificOutput = {
  hookEventName: 'Elicitation';
  /** The hook's answer. If it is present, the user is not asked. */
  action?: 'accept' | 'decline' | 'cancel';
  /** The values of the form's fields, by the name of the field, as `requested_schema` describes them. Present only with `accept`. */
  content?: Record<string, unknown>;
};

/** The user's answer to an MCP server. */
export type ElicitationResult = {
  /** What the user did. `accept` means that the user agreed, and `content` contains the filled-in fields. `decline` means that the user refused. `cancel` means that the user gave no answer. */
  action: 'accept' | 'decline' | 'cancel';
  /** The values of the form's fields, by the name of the field, as `requested_schema` describes them. Present only with `accept`. */
  content?: Record<string, unknown>;
};

/** The user has answered the question of an MCP server. The hook may change the answer. */
export type ElicitationResultHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The server that asked the question. The matchers of hooks are compared with this value. */
  mcp_server_name: string;
  elicitation_id?: string;
  mode?: 'form' | 'url';
  /** What the user did. `accept` means that the user agreed, and `content` contains the filled-in fields. `decline` means that the user refused. `cancel` means that the user gave no answer. */
  action: 'accept' | 'decline' | 'cancel';
  /** The values of the form's fields, by the name of the field, as `requested_schema` describes them. Present only with `accept`. */
  content?: Record<string, unknown>;
  hook_event_name: 'ElicitationResult';
};

/** The members that are specific to the answers of `ElicitationResult` hooks. */
export type ElicitationResultHookSpecificOutput = {
  hookEventName: 'ElicitationResult';
  /** The answer that replaces the user's answer. */
  action?: 'accept' | 'decline' | 'cancel';
  /** The field values that replace the user's values. Present only with `accept`. */
  content?: Record<string, unknown>;
};

/** Why a session ended. */
export type ExitReason = 'clear' | 'resume' | 'logout' | 'prompt_input_exit' | 'other';

/** Marks the point in the reply from which another model continued. */
export type FallbackBlock = {
  type: 'fallback';
  from: unknown;
  to: unknown;
  trigger?: unknown;
};

/** Why fast mode is not available. */
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

/** The state of fast mode. */
export type FastModeState = 'off' | 'cooldown' | 'on';

/** A watched file has changed. */
export type FileChangedHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The absolute path of the file. */
  file_path: string;
  /** What happened to the file. `unlink` means that the file was deleted. */
  event: 'change' | 'add' | 'unlink';
  hook_event_name: 'FileChanged';
};

/** The members that are specific to the answers of `FileChanged` hooks. */
export type FileChangedHookSpecificOutput = {
  hookEventName: 'FileChanged';
  /** Absolute paths to watch for `FileChanged`. These paths replace the paths that hooks named earlier. */
  watchPaths?: string[];
};

/** An event for which hooks are called. */
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
  | 'MessageDisplay'
  | 'PreSkillShellCommand';

/** The input of a hook. The input for an unknown event is accepted unchanged. */
export type HookInput =
  | PreToolUseHookInput
  | PostToolUseHookInput
  | PostToolUseFailureHookInput
  | PostToolBatchHookInput
  | PermissionRequestHookInput
  | PermissionDeniedHookInput
  | PreSkillShellCommandHookInput
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

/** A hook's decision about a tool call. */
export type HookPermissionDecision = 'allow' | 'deny' | 'ask' | 'defer';

/** The members of a hook answer that depend on the event. */
export type HookSpecificOutput =
  | PreToolUseHookSpecificOutput
  | PostToolUseHookSpecificOutput
  | PostToolUseFailureHookSpecificOutput
  | PostToolBatchHookSpecificOutput
  | PermissionRequestHookSpecificOutput
  | PermissionDeniedHookSpecificOutput
  | PreSkillShellCommandHookSpecificOutput
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

/** An image in a prompt or in the output of a tool. */
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
        /** The id of a file that was uploaded to the model API earlier. */
        file_id: string;
      };
};

/** The agent has read an instruction file. */
export type InstructionsLoadedHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The absolute path of the file. */
  file_path: string;
  /** Who the instructions in the file come from: the user, the project, the user but only for this project, or the organisation. */
  memory_type: 'User' | 'Project' | 'Local' | 'Managed';
  /** Why the file was read. The matchers of hooks are compared with this value. */
  load_reason: 'session_start' | 'nested_traversal' | 'path_glob_match' | 'include' | 'compact';
  /** The patterns of the paths that the instructions apply to. Present only with `path_glob_match`. */
  globs?: string[];
  /** The file that caused the agent to read the instructions. Absent at the start of a session. */
  trigger_file_path?: string;
  /** The file that includes this instruction file. Present only with `include`. */
  parent_file_path?: string;
  hook_event_name: 'InstructionsLoaded';
};

/** A JSON-RPC message of MCP, in either direction: a request, a notification or an answer. These kinds share one type, because some hosts acknowledge a notification with a result that has no id. */
export type JSONRPCMessage = {
  jsonrpc: '2.0';
  /** The id of a request, repeated in its answer. Absent in a notification. */
  id?: string | number | null;
  /** The name of the method that a request or a notification calls. Absent in an answer. */
  method?: string;
  params?: Record<string, unknown>;
  /** The result of the request. Present only in the answer to a request that succeeded. */
  result?: Record<string, unknown>;
  /** The error. Present only in the answer to a request that failed. */
  error?: {
    code: number;
    message: string;
    data?: unknown;
  };
};

/** An MCP server that is reached through a proxy provided by the account. Agents report such servers; hosts cannot configure them. */
export type McpClaudeAIProxyServerConfig = {
  type: 'claudeai-proxy';
  url: string;
  id: string;
  /** How long a tool call may take, in milliseconds. Values below 1000 are ignored. Default: the environment variable `MCP_TOOL_TIMEOUT`, or no limit if the variable is not set. */
  timeout?: number;
};

/** An MCP server that is reached over streamable HTTP. */
export type McpHttpServerConfig = {
  type: 'http';
  url: string;
  headers?: Record<string, string>;
  tools?: McpServerToolPolicy[];
  /** How long a tool call may take, in milliseconds. Values below 1000 are ignored. Default: the environment variable `MCP_TOOL_TIMEOUT`, or no limit if the variable is not set. */
  timeout?: number;
  /** If true, the tools of the server are offered to the model from the start. Otherwise the model may have to search for them. */
  alwaysLoad?: boolean;
};

/** An MCP server that is reached over server-sent events. */
export type McpSSEServerConfig = {
  type: 'sse';
  url: string;
  headers?: Record<string, string>;
  tools?: McpServerToolPolicy[];
  /** How long a tool call may take, in milliseconds. Values below 1000 are ignored. Default: the environment variable `MCP_TOOL_TIMEOUT`, or no limit if the variable is not set. */
  timeout?: number;
  /** If true, the tools of the server are offered to the model from the start. Otherwise the model may have to search for them. */
  alwaysLoad?: boolean;
};

/** An MCP server inside the host program, which the agent reaches with control requests. */
export type McpSdkServerConfig = {
  type: 'sdk';
  /** The name of the server, which `mcp_message` requests use as `server_name`. */
  name: string;
  /** How long a tool call may take, in milliseconds. Values below 1000 are ignored. Default: the environment variable `MCP_TOOL_TIMEOUT`, or no limit if the variable is not set. */
  timeout?: number;
  tools?: McpServerToolPolicy[];
};

/** The configuration of an MCP server for an agent process. */
export type McpServerConfigForProcessTransport =
  | McpStdioServerConfig
  | McpSSEServerConfig
  | McpHttpServerConfig
  | McpSdkServerConfig;

/** The MCP server of a tool. Trust `source` rather than `name`, because a server can have any name. */
export type McpServerProvenance = {
  name: string;
  /** Where the server comes from, such as `sdk` for a server inside the host program. */
  source: string;
};

/** The state of an MCP server. */
export type McpServerStatus = {
  name: string;
  /** The state of the connection: `pending` while the agent connects, `needs-auth` until the user has signed in to the server, `disabled` after `mcp_toggle`. */
  status: 'connected' | 'failed' | 'needs-auth' | 'pending' | 'disabled';
  /** The name and the version that the server reports. Absent unless the server is connected. */
  serverInfo?: {
    name: string;
    version: string;
  };
  /** Why the connection failed, as text for people. */
  error?: string;
  config?: McpServerStatusConfig;
  /** Where the server was configured, such as `dynamic` for a server that the host added. */
  scope?: string;
  /** Where the server comes from, such as `dynamic`. Trust this value rather than the name. */
  source?: string;
  /** The transport to the server, such as `stdio`. */
  transport?: string;
  /** The tools of the server. Absent unless the server is connected. */
  tools?: {
    name: string;
    description?: string;
    /** Hints from the server about the tool. These hints are not enforced. */
    annotations?: {
      /** Whether the tool only reads and never changes anything. */
      readOnly?: boolean;
      /** Whether the tool may delete or overwrite something. */
      destructive?: boolean;
      /** Whether the tool reaches systems outside the server, such as the web. */
      openWorld?: boolean;
    };
    /** More data from the server about the tool, in the member that MCP reserves for this purpose. */
    _meta?: Record<string, unknown>;
  }[];
};

/** The configuration of an MCP server, as an agent reports it. */
export type McpServerStatusConfig =
  | McpStdioServerConfig
  | McpSSEServerConfig
  | McpHttpServerConfig
  | McpSdkServerConfig
  | McpClaudeAIProxyServerConfig;

/** The permission policy of one tool of an MCP server. */
export type McpServerToolPolicy = {
  name: string;
  permission_policy?: 'always_allow' | 'always_ask' | 'always_deny';
  org_max_permission?: 'allow' | 'ask' | 'blocked';
};

/** The servers that were added, were removed, or could not be added. */
export type McpSetServersResult = {
  added: string[];
  removed: string[];
  /** The servers that could not be added, by name, each with the reason as text. */
  errors: Record<string, string>;
};

/** An MCP server that runs as a child process of the agent. This is the default kind, so `type` may be absent. */
export type McpStdioServerConfig = {
  type?: 'stdio';
  /** The executable, which the agent starts as a child process with the arguments in `args`. */
  command: string;
  args?: string[];
  env?: Record<string, string>;
  /** How long a tool call may take, in milliseconds. Values below 1000 are ignored. Default: the environment variable `MCP_TOOL_TIMEOUT`, or no limit if the variable is not set. */
  timeout?: number;
  /** If true, the tools of the server are offered to the model from the start. Otherwise the model may have to search for them. */
  alwaysLoad?: boolean;
};

/** The tools of an MCP server, as listed by the model API. */
export type McpToolListingBlock = {
  type: 'mcp_tool_listing';
  mcp_server_name: string;
  tools: unknown[];
};

/** The output of an MCP tool that the model API ran itself. */
export type McpToolResultBlock = {
  type: 'mcp_tool_result';
  tool_use_id: string;
  content: string | unknown[];
  is_error: boolean;
};

/** A call to an MCP tool that the model API ran itself. */
export type McpToolUseBlock = {
  type: 'mcp_tool_use';
  /** The id of the call. The result of the call contains this id as `tool_use_id`. */
  id: string;
  name: string;
  server_name: string;
  input: unknown;
};

/** The agent is about to display a piece of text. */
export type MessageDisplayHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  turn_id: string;
  message_id: string;
  index: number;
  /** Whether this is the last piece of the reply. */
  final: boolean;
  /** The text of this piece, without earlier pieces. */
  delta: string;
  hook_event_name: 'MessageDisplay';
};

/** The members that are specific to the answers of `MessageDisplay` hooks. */
export type MessageDisplayHookSpecificOutput = {
  hookEventName: 'MessageDisplay';
  /** The text to display instead of this piece. The model's reply itself does not change. */
  displayContent?: string;
};

/** A message in the format that the model API accepts. */
export type MessageParam = {
  role: 'user' | 'assistant' | 'system';
  content: PromptContent;
};

/** A model that the host may choose. */
export type ModelInfo = {
  /** The text to use in `set_model` and in the flag `--model`: an alias such as `opus`, or an id. */
  value: string;
  /** The id of the model that `value` stands for. */
  resolvedModel?: string;
  displayName: string;
  description: string;
  /** Whether the model has effort levels. */
  supportsEffort?: boolean;
  supportedEffortLevels?: ('low' | 'medium' | 'high' | 'xhigh' | 'max')[];
  /** Whether the model can decide how much it thinks. */
  supportsAdaptiveThinking?: boolean;
  supportsFastMode?: boolean;
  /** Whether the permission mode `auto` works with the model. */
  supportsAutoMode?: boolean;
  supportsThinkingOff?: boolean;
};

/** The usage of one model, summed up since the agent process started. */
export type ModelUsage = {
  inputTokens: number;
  outputTokens: number;
  thinkingTokens?: number;
  cacheReadInputTokens: number;
  cacheCreationInputTokens: number;
  /** The tokens that were written to the prompt cache and are kept for five minutes. */
  cacheCreationEphemeral5mInputTokens?: number;
  /** The tokens that were written to the prompt cache and are kept for one hour. */
  cacheCreationEphemeral1hInputTokens?: number;
  webSearchRequests: number;
  costUSD: number;
  /** The size of the context window of the model, in tokens. */
  contextWindow: number;
  /** The maximum number of tokens in one reply. */
  maxOutputTokens: number;
  canonicalModel?: string;
  /** The service that ran the model, such as `firstParty`. */
  provider?: string;
  costBasis?: 'list' | 'managed' | 'unknown';
};

/** The tokens used by the main loop in one turn. Only `fallback_credit` can be `null`. */
export type NonNullableUsage = {
  /** Tokens of the input that were neither read from the prompt cache nor written to the prompt cache. */
  input_tokens: number;
  /** Tokens that the model wrote, including its thinking. */
  output_tokens: number;
  /** Tokens of the input that were written to the prompt cache. */
  cache_creation_input_tokens?: number;
  /** Tokens of the input that were read from the prompt cache. */
  cache_read_input_tokens?: number;
  /** The tokens written to the prompt cache, grouped by how long the cache keeps them. */
  cache_creation?: {
    /** Tokens that the prompt cache keeps for five minutes. */
    ephemeral_5m_input_tokens: number;
    /** Tokens that the prompt cache keeps for one hour. */
    ephemeral_1h_input_tokens: number;
  };
  /** How often the model API ran a tool on its servers. */
  server_tool_use?: {
    web_search_requests: number;
    web_fetch_requests: number;
  };
  /** A breakdown of the output tokens. */
  output_tokens_details?: {
    thinking_tokens: number;
  };
  /** The service tier that served the request, such as `standard`, `priority` or `batch`. */
  service_tier?: string;
  /** The geographic region where the model ran. */
  inference_geo?: string;
  /** The tokens of each round, if the model API ran the model several times for one call. */
  iterations?: unknown[];
  /** The speed at which the model ran, such as `standard` or `fast`. */
  speed?: string;
  fallback_credit?: unknown;
};

/** The agent needs the user's attention. */
export type NotificationHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  message: string;
  title?: string;
  /** The kind of the notification, such as `permission_prompt`. The matchers of hooks are compared with this value. */
  notification_type: string;
  hook_event_name: 'Notification';
};

/** The members that are specific to the answers of `Notification` hooks. */
export type NotificationHookSpecificOutput = {
  hookEventName: 'Notification';
  /** Text for the model, which is added to the conversation. */
  additionalContext?: string;
};

/** What a permission rule does with a tool call. */
export type PermissionBehavior = 'allow' | 'deny' | 'ask';

/** What the user meant by the answer. Agents use this value for statistics. */
export type PermissionDecisionClassification = 'user_temporary' | 'user_permanent' | 'user_reject';

/** A tool call was denied without asking anyone. */
export type PermissionDeniedHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The name of the tool. `mcp__SERVER__TOOL` for a tool of an MCP server. The matchers of hooks are compared with this value. */
  tool_name: string;
  /** The input of the tool call. The shape of the input depends on the tool. */
  tool_input: unknown;
  /** The MCP server of the tool. Absent for the agent's own tools. */
  mcp_server?: McpServerProvenance;
  tool_use_id: string;
  reason: string;
  hook_event_name: 'PermissionDenied';
};

/** The members that are specific to the answers of `PermissionDenied` hooks. */
export type PermissionDeniedHookSpecificOutput = {
  hookEventName: 'PermissionDenied';
  /** If true, the agent informs the model that it may retry the call. The denied call itself stays denied. */
  retry?: boolean;
};

/** What the agent may do without asking for permission. */
export type PermissionMode = 'default' | 'acceptEdits' | 'bypassPermissions' | 'plan' | 'dontAsk' | 'auto';

/** The agent asks for permission. It asks the hook and the host at the same time, and uses the first answer. */
export type PermissionRequestHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The name of the tool. `mcp__SERVER__TOOL` for a tool of an MCP server. The matchers of hooks are compared with this value. */
  tool_name: string;
  /** The input of the tool call. The shape of the input depends on the tool. */
  tool_input: unknown;
  /** The MCP server of the tool. Absent for the agent's own tools. */
  mcp_server?: McpServerProvenance;
  /** Changes to the permission rules that the host may offer to the user. Send the chosen changes back as `updatedPermissions`. */
  permission_suggestions?: PermissionUpdate[];
  hook_event_name: 'PermissionRequest';
};

/** The members that are specific to the answers of `PermissionRequest` hooks. */
export type PermissionRequestHookSpecificOutput = {
  hookEventName: 'PermissionRequest';
  /** The answer that is used in place of the user's answer. `allow` does not override rules that deny the call. */
  decision:
    | {
        behavior: 'allow';
        /** The complete new input for the tool call. */
        updatedInput?: Record<string, unknown>;
        /** Changes to the permission rules to apply. */
        updatedPermissions?: PermissionUpdate[];
      }
    | {
        behavior: 'deny';
        /** Why the call is denied, as text for the model. */
        message?: string;
        /** If true, the whole turn ends. */
        interrupt?: boolean;
      };
};

/** The answer to a permission request. A value whose `behavior` is neither `allow` nor `deny` is not an answer. */
export type PermissionResult =
  | {
      behavior: 'allow';
      /** The complete new input for the tool call. If absent, the input stays unchanged. */
      updatedInput?: Record<string, unknown>;
      /** Changes to the permission rules to apply. Malformed changes are ignored. The total number of updates, rules and directories must not exceed 4096. */
      updatedPermissions?: PermissionUpdate[];
      /** The `tool_use_id` of the request. The agent uses this id to recognise late and repeated answers. */
      toolUseID?: string;
      decisionClassification?: PermissionDecisionClassification;
    }
  | {
      behavior: 'deny';
      /** The text that the model reads as the result of the call. */
      message?: string;
      /** If true, the whole turn ends with the result `error_during_execution`. Otherwise the turn continues without the call. */
      interrupt?: boolean;
      /** The `tool_use_id` of the request. The agent uses this id to recognise late and repeated answers. */
      toolUseID?: string;
      decisionClassification?: PermissionDecisionClassification;
    };

/** A permission rule: the name of a tool, and a pattern for its input. */
export type PermissionRuleValue = {
  /** The name of a tool as the model calls it, such as `Bash` or `mcp__SERVER__TOOL`. */
  toolName: string;
  ruleContent?: string;
};

/** A change to the permission rules. An agent offers changes in a permission request, and the host sends back the changes that the user chose. */
export type PermissionUpdate =
  | {
      type: 'addRules';
      /** The rules to add or to remove. With `replaceRules`, these rules replace all rules of the same behavior in the destination. */
      rules: PermissionRuleValue[];
      /** What the rules do with a tool call. Only rules of the same behavior are replaced or removed. */
      behavior: PermissionBehavior;
      destination: PermissionUpdateDestination;
    }
  | {
      type: 'replaceRules';
      /** The rules to add or to remove. With `replaceRules`, these rules replace all rules of the same behavior in the destination. */
      rules: PermissionRuleValue[];
      /** What the rules do with a tool call. Only rules of the same behavior are replaced or removed. */
      behavior: PermissionBehavior;
      destination: PermissionUpdateDestination;
    }
  | {
      type: 'removeRules';
      /** The rules to add or to remove. With `replaceRules`, these rules replace all rules of the same behavior in the destination. */
      rules: PermissionRuleValue[];
      /** What the rules do with a tool call. Only rules of the same behavior are replaced or removed. */
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
      /** The paths of directories that the agent may work in or, with `removeDirectories`, may no longer work in. */
      directories: string[];
      destination: PermissionUpdateDestination;
    }
  | {
      type: 'removeDirectories';
      /** The paths of directories that the agent may work in or, with `removeDirectories`, may no longer work in. */
      directories: string[];
      destination: PermissionUpdateDestination;
    };

/** Where a change to the permission rules is stored. A change stored in `session` is lost when the session ends. */
export type PermissionUpdateDestination = 'userSettings' | 'projectSettings' | 'localSettings' | 'session' | 'cliArg';

/** The agent has summarised the history. */
export type PostCompactHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  /** What caused the compaction: `manual` if the user ran `/compact`, `auto` if the context window is full. The matchers of hooks are compared with this value. */
  trigger: 'manual' | 'auto';
  /** The summary that replaces the conversation so far. */
  compact_summary: string;
  hook_event_name: 'PostCompact';
};

/** The agent has switched to another model. */
export type PostModelSwitchHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  from_model: string;
  to_model: string;
  /** The model as requested, for example an alias. */
  requested_model: string | null;
  /** How many tokens of context the new model must read. */
  context_tokens: number;
  /** Whether the conversation is still in the prompt cache. */
  prompt_cache_warm: boolean;
  /** How long the prompt cache keeps new entries. */
  cache_ttl: '5m' | '1h';
  /** The estimated cost of writing the conversation to the prompt cache again, in US dollars. */
  estimated_cache_write_usd: number;
  /** Where the prices for the estimate come from. */
  pricing: 'configured' | 'catalog' | 'default';
  /** What caused the switch: one of the sources in `PreModelSwitch`, the agent itself (`auto`), or resuming a session (`resume`). */
  source: 'command' | 'picker' | 'sdk' | 'auto' | 'resume';
  hook_event_name: 'PostModelSwitch';
};

/** The members that are specific to the answers of `PostModelSwitch` hooks. */
export type PostModelSwitchHookSpecificOutput = {
  hookEventName: 'PostModelSwitch';
  /** Text for the model, which is added to the conversation. */
  additionalContext?: string;
};

/** All tool calls of one message have ended. */
export type PostToolBatchHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  tool_calls: PostToolBatchToolCall[];
  hook_event_name: 'PostToolBatch';
};

/** The members that are specific to the answers of `PostToolBatch` hooks. */
export type PostToolBatchHookSpecificOutput = {
  hookEventName: 'PostToolBatch';
  /** Text that the model reads before it continues. */
  additionalContext?: string;
};

/** One tool call of a batch. */
export type PostToolBatchToolCall = {
  tool_name: string;
  /** The input of the tool call. The shape of the input depends on the tool. */
  tool_input: unknown;
  tool_use_id: string;
  /** The result that the model reads. In `PostToolUse`, by contrast, `tool_response` is the output of the tool. */
  tool_response?: unknown;
};

/** A tool call has failed. */
export type PostToolUseFailureHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The name of the tool. `mcp__SERVER__TOOL` for a tool of an MCP server. The matchers of hooks are compared with this value. */
  tool_name: string;
  /** The input of the tool call. The shape of the input depends on the tool. */
  tool_input: unknown;
  /** The MCP server of the tool. Absent for the agent's own tools. */
  mcp_server?: McpServerProvenance;
  tool_use_id: string;
  /** The error message. */
  error: string;
  /** True if the user interrupted the call. */
  is_interrupt?: boolean;
  /** How long the tool ran, in milliseconds. Does not include the time for permissions and hooks. */
  duration_ms?: number;
  hook_event_name: 'PostToolUseFailure';
};

/** The members that are specific to the answers of `PostToolUseFailure` hooks. */
export type PostToolUseFailureHookSpecificOutput = {
  hookEventName: 'PostToolUseFailure';
  /** Text for the model, which is added to the error. */
  additionalContext?: string;
};

/** A tool call has succeeded. */
export type PostToolUseHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The name of the tool. `mcp__SERVER__TOOL` for a tool of an MCP server. The matchers of hooks are compared with this value. */
  tool_name: string;
  /** The input of the tool call. The shape of the input depends on the tool. */
  tool_input: unknown;
  /** The MCP server of the tool. Absent for the agent's own tools. */
  mcp_server?: McpServerProvenance;
  tool_use_id: string;
  /** The output of the tool, usually an object. The shape of the output depends on the tool. */
  tool_response: unknown;
  /** How long the tool ran, in milliseconds. Does not include the time for permissions and hooks. */
  duration_ms?: number;
  hook_event_name: 'PostToolUse';
};

/** The members that are specific to the answers of `PostToolUse` hooks. */
export type PostToolUseHookSpecificOutput = {
  hookEventName: 'PostToolUse';
  /** Text for the model, which is added to the result of the call. */
  additionalContext?: string;
  /** Text for the classifier that checks tool calls, at most 2000 UTF-16 units. */
  classifierContext?: string;
  /** The output that the model reads instead of the tool's output. For a built-in tool, this output must have the same shape as the tool's output. Otherwise it is ignored. */
  updatedToolOutput?: unknown;
  /** Deprecated. Use `updatedToolOutput` instead. This member applies only to tools of MCP servers. */
  updatedMCPToolOutput?: unknown;
};

/** The agent is about to summarise the history. */
export type PreCompactHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  /** What caused the compaction: `manual` if the user ran `/compact`, `auto` if the context window is full. The matchers of hooks are compared with this value. */
  trigger: 'manual' | 'auto';
  /** The text after `/compact`. `null` or empty if no text follows. */
  custom_instructions: string | null;
  hook_event_name: 'PreCompact';
};

/** The agent is about to switch to another model. */
export type PreModelSwitchHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  from_model: string;
  to_model: string;
  /** The model as requested, for example an alias. */
  requested_model: string | null;
  /** How many tokens of context the new model must read. */
  context_tokens: number;
  /** Whether the conversation is still in the prompt cache. */
  prompt_cache_warm: boolean;
  /** How long the prompt cache keeps new entries. */
  cache_ttl: '5m' | '1h';
  /** The estimated cost of writing the conversation to the prompt cache again, in US dollars. */
  estimated_cache_write_usd: number;
  /** Where the prices for the estimate come from. */
  pricing: 'configured' | 'catalog' | 'default';
  /** What requested the switch: a command, the list of models, or a `set_model` request from the host. */
  source: 'command' | 'picker' | 'sdk';
  hook_event_name: 'PreModelSwitch';
};

/** The members that are specific to the answers of `PreModelSwitch` hooks. */
export type PreModelSwitchHookSpecificOutput = {
  hookEventName: 'PreModelSwitch';
  /** The decision about the switch. `ask` refuses the switch if no user can be asked, as in an agent without a terminal. */
  permissionDecision?: 'allow' | 'deny' | 'ask';
  permissionDecisionReason?: string;
};

/** A skill or a slash command is being loaded, and the agent is about to run a shell command contained in its text. The hook may refuse the command. */
export type PreSkillShellCommandHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The shell tool that runs the command, such as `Bash`. The matchers of hooks are compared with this value. */
  tool_name: string;
  tool_input: {
    /** The command with the arguments filled in. */
    command: string;
  };
  /** The id of this command. No tool call in the conversation has this id. */
  tool_use_id: string;
  /** The name of the skill or slash command. */
  command_name: string;
  /** Where the skill or slash command comes from. */
  command_source?: string;
  /** Who started the skill or slash command: the user or the host, the model, or something else, such as a subagent. */
  invoked_by: 'user' | 'claude' | 'other';
  hook_event_name: 'PreSkillShellCommand';
};

/** The members that are specific to the answers of `PreSkillShellCommand` hooks. */
export type PreSkillShellCommandHookSpecificOutput = {
  hookEventName: 'PreSkillShellCommand';
  /** The decision. `allow` has no effect. Any other decision prevents the command from running, without asking the user. */
  permissionDecision?: HookPermissionDecision;
  /** Why the command is refused. */
  permissionDecisionReason?: string;
  /** A hook cannot change the command. If this member is present, the command does not run. */
  updatedInput?: Record<string, unknown>;
};

/** The agent is about to call a tool. The hook may allow, deny or defer the call, require the user's approval, or change the input. */
export type PreToolUseHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The name of the tool. `mcp__SERVER__TOOL` for a tool of an MCP server. The matchers of hooks are compared with this value. */
  tool_name: string;
  /** The input of the tool call. The shape of the input depends on the tool. */
  tool_input: unknown;
  /** The MCP server of the tool. Absent for the agent's own tools. */
  mcp_server?: McpServerProvenance;
  tool_use_id: string;
  hook_event_name: 'PreToolUse';
};

/** The members that are specific to the answers of `PreToolUse` hooks. */
export type PreToolUseHookSpecificOutput = {
  hookEventName: 'PreToolUse';
  /** The decision. If several hooks decide, the strictest decision is used. The order from strict to lenient is `deny`, `defer`, `ask`, `allow`. */
  permissionDecision?: HookPermissionDecision;
  /** The reason for the decision. If the call is denied, the model reads the reason. Otherwise, the user reads it. */
  permissionDecisionReason?: string;
  /** The complete new input for the tool call. */
  updatedInput?: Record<string, unknown>;
  /** Text for the model, which is added to the result of the call. */
  additionalContext?: string;
};

/** A string, or a list of content blocks. */
export type PromptContent = string | ContentBlock[];

/** The model's thinking, encrypted. */
export type RedactedThinkingBlock = {
  type: 'redacted_thinking';
  data: string;
};

/** The files that were restored or, with `dry_run`, would be restored. */
export type RewindFilesResult = {
  /** Whether the files can be restored. If false, `error` contains the reason. */
  canRewind: boolean;
  error?: string;
  /** The paths of the files that were restored or, with `dry_run`, would be restored. */
  filesChanged?: string[];
  insertions?: number;
  deletions?: number;
  skippedLinks?: number;
};

/** A call to the model API failed and will be retried. */
export type SDKAPIRetryMessage = {
  type: 'system';
  subtype: 'api_retry';
  /** The number of this retry, counted from 1. */
  attempt: number;
  /** The maximum number of retries. The value is 10, unless the agent is configured otherwise. */
  max_retries: number;
  /** Milliseconds from the failure to the retry. */
  retry_delay_ms: number;
  /** The HTTP status of the failure. `null` if no response arrived. */
  error_status: number | null;
  error: SDKAssistantMessageError;
  /** Present only if the model API did not start its response in time. */
  no_response?: {
    waited_ms: number;
    retry_wait_ms: number;
  };
  uuid: UUID;
  session_id: string;
};

/** The goal that the agent is working towards. `value` is `null` after the goal was cleared. */
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

/** One completed content block of a model reply. All messages of one reply have the same `message.id`. */
export type SDKAssistantMessage = {
  type: 'assistant';
  message: ApiMessage;
  /** The id of the tool call that the subagent works for. `null` in the main conversation. */
  parent_tool_use_id: string | null;
  /** The kind of error, if the agent itself wrote this message to report a failed call to the model API. In this case, `message.model` is `<synthetic>`. */
  error?: SDKAssistantMessageError;
  /** The id of the request to the model API, which is unrelated to the `request_id` of a control request. */
  request_id?: string;
  /** The `uuid` of the prompt that the turn answers. Present only on the first reply and on the result of the turn, and only if the prompt has a `uuid`. */
  user_message_uuid?: string;
  /** The `uuid`s of all prompts that have been part of the turn so far, in order, at most 64. Present whenever `user_message_uuid` is present, and includes that `uuid`. */
  user_message_uuids?: string[];
  /** Why the turn was resumed. Present only if the turn continues an earlier turn that a worker restart cut off. The value is `interrupted_turn`, unless the agent was given a different reason. */
  resume_reason?: string;
  /** True if the turn was cut off within a signed thinking block and continues with this message. Keep this member when you replay the history. */
  resumed_from_incomplete_thinking?: true;
  /** The `uuid`s of earlier messages that this message replaces. Delete those messages. */
  supersedes?: UUID[];
  /** True if an interrupt cut the reply off. Such a reply has no stop reason, and its text may end within a word. */
  aborted?: true;
  /** The id of the subagent that made the message, which is also the `task_id` of its task. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent, such as `general-purpose`. */
  subagent_type?: string;
  /** The description of the task given to the subagent. */
  task_description?: string;
  /** When the message was made, in ISO 8601. Display this time, but do not sort messages by it. */
  timestamp?: string;
  /** The `/context` report as data. Present only on the message that contains the report as text. */
  context_usage?: SDKContextUsage;
  /** The `/usage` report as data. Present only on the message that contains the report as text. */
  usage_report?: SDKUsageReport;
  /** True if the message reports a failed call to the model API. Sent together with `error`. */
  is_api_error_message?: boolean;
  /** The HTTP status of the failed call to the model API, such as 400. */
  api_error_status?: number;
  /** How the call to the model API failed, such as `connection_failed`. */
  api_error?: string;
  /** The kind of failure, as named by the model API, such as `invalid_request_error`. */
  api_error_type?: string;
  /** How to display each MCP tool call in this message: the `id` of the call, and names for the tool and its server. */
  tool_use_meta?: unknown[];
  /** The slash command whose output this message contains. */
  local_command_run?: {
    command: string;
    args: string;
  };
  /** The output of the slash command, as written in the transcript. */
  local_command_source?: string;
  thinking_duration_ms?: number;
  thinking_display?: string;
  uuid: UUID;
  session_id: string;
};

/** The kind of API error that a synthetic assistant message reports. */
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

/** The progress of a login. */
export type SDKAuthStatusMessage = {
  type: 'auth_status';
  isAuthenticating: boolean;
  /** Lines of text about the progress of the login. */
  output: string[];
  error?: string;
  uuid: UUID;
  session_id: string;
};

/** The background tasks have changed. `tasks` is the complete new list. */
export type SDKBackgroundTasksChangedMessage = {
  type: 'system';
  subtype: 'background_tasks_changed';
  tasks: {
    /** The id of the task, the same in all messages about the task. The `task_id` of a subagent is also its `agent_id`. */
    task_id: string;
    /** The id of one run of the task. A resumed task keeps its `task_id` and gets a new `run_id`, which sorts after all earlier run ids of the task. */
    run_id?: string;
    /** The kind of the task, such as `local_agent`, `local_bash`, `local_workflow` or `mcp_task`. New kinds may be added. */
    task_type: string;
    /** The kind of the subagent, such as `general-purpose`. */
    subagent_type?: string;
    description: string;
    /** The `task_id` of the subagent that started this task. */
    parent_task_id?: string;
    /** True if the task does not count as activity. Do not display the session as busy because of this task. */
    ambient?: boolean;
  }[];
  uuid: UUID;
  session_id: string;
};

/** The new state of a prompt that has a `uuid`. Seen on the wire, not declared by the published SDK. */
export type SDKCommandLifecycleMessage = {
  type: 'command_lifecycle';
  /** The `uuid` that the host gave to the prompt. */
  command_uuid: string;
  /** The new state. The first state is `queued`, followed by `started`. Every other state is final. `completed` follows the result of the turn, or precedes the result if the prompt was added to a turn that was already running. */
  state: 'queued' | 'started' | 'completed' | 'cancelled' | 'discarded' | 'refused';
  uuid: UUID;
  session_id: string;
};

/** The slash commands have changed. `commands` is the complete new list. */
export type SDKCommandsChangedMessage = {
  type: 'system';
  subtype: 'commands_changed';
  commands: SlashCommand[];
  uuid: UUID;
  session_id: string;
};

/** The history before this message was compacted. */
export type SDKCompactBoundaryMessage = {
  type: 'system';
  subtype: 'compact_boundary';
  compact_metadata: {
    trigger: 'manual' | 'auto';
    /** Tokens of the history before the compaction. */
    pre_tokens: number;
    /** Tokens of the history after the compaction. */
    post_tokens?: number;
    duration_ms?: number;
    cumulative_dropped_tokens?: number;
    /** The range of messages that were kept, given by the first and the last message. */
    preserved_segment?: {
      head_uuid: UUID;
      /** The `uuid` of the message that the kept messages now follow. */
      anchor_uuid: UUID;
      tail_uuid: UUID;
    };
    /** The messages that were kept, by `uuid`. */
    preserved_messages?: {
      /** The `uuid` of the message that the kept messages now follow. */
      anchor_uuid: UUID;
      uuids: UUID[];
      all_uuids?: UUID[];
    };
  };
  /** The `uuid` of the message that this message follows in the conversation. */
  logical_parent_uuid?: UUID;
  uuid: UUID;
  session_id: string;
};

/** How the context window is used. */
export type SDKContextUsage = {
  model: string;
  /** The tokens in the context window now. */
  total_tokens: number;
  /** The tokens that the context window can hold. */
  raw_max_tokens: number;
  /** How full the context window is, from 0 to 100. */
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
  /** Whether the tokens are `used`, `free`, kept free as a `buffer`, or `deferred` because they belong to tools that are not loaded yet. */
  kind: 'used' | 'free' | 'buffer' | 'deferred';
};

/** Changes the settings given on the command line, or adds to them. The value `null` clears a setting. */
export type SDKControlApplyFlagSettingsRequest = {
  subtype: 'apply_flag_settings';
  /** Settings by name. Each value replaces the whole setting. */
  settings: Record<string, unknown>;
};

/** Moves running tasks to the background: all tasks, or the task of one tool call. */
export type SDKControlBackgroundTasksRequest = {
  subtype: 'background_tasks';
  /** The id of the tool call whose task should move. If absent, all running tasks are moved. */
  tool_use_id?: string;
};

/** Whether a task was moved to the background. If `backgrounded` is absent, assume true. */
export type SDKControlBackgroundTasksResponse = {
  backgrounded?: boolean;
};

/** Removes a prompt from the queue. */
export type SDKControlCancelAsyncMessageRequest = {
  subtype: 'cancel_async_message';
  /** The `uuid` of the prompt. If no queued prompt has this `uuid`, the request still succeeds. */
  message_uuid: string;
};

/** Whether the prompt was removed from the queue. */
export type SDKControlCancelAsyncMessageResponse = {
  /** False if no queued prompt had this `uuid`. */
  cancelled?: boolean;
  /** The `message_uuid` of the request. */
  message_uuid?: string;
};

/** Cancels a request that the same side sent earlier. The other side does not answer this message, and need not answer the cancelled request. */
export type SDKControlCancelRequest = {
  type: 'control_cancel_request';
  /** The id of the request to cancel. An unknown id is ignored. */
  request_id: string;
};

/** Asks the user a question from an MCP server. */
export type SDKControlElicitationRequest = {
  subtype: 'elicitation';
  mcp_server_name: string;
  /** The server's question, as text for the user. */
  message: string;
  /** How the user answers. With `form`, the default, the user fills in fields. With `url`, the user is sent to a web page. */
  mode?: 'form' | 'url';
  /** The web page to open. Present only with the mode `url`. */
  url?: string;
  /** The id of the question. Present only with the mode `url`. The message `elicitation_complete` repeats this id when the user is done. */
  elicitation_id?: string;
  /** The JSON Schema of the fields to fill in. Only with the mode `form`. */
  requested_schema?: Record<string, unknown>;
  /** The names of the fields, in the order in which to show them. */
  property_order?: string[];
  title?: string;
  display_name?: string;
  description?: string;
};

/** Asks for files that match the text the user is typing. */
export type SDKControlFileSuggestionsRequest = {
  subtype: 'file_suggestions';
  /** The text that the user has typed so far after an `@`. */
  query: string;
};

/** The matching files. */
export type SDKControlFileSuggestionsResponse = {
  suggestions?: unknown[];
  cwd?: string;
};

/** Asks for the version and the build of the agent. */
export type SDKControlGetBinaryVersionRequest = {
  subtype: 'get_binary_version';
};

/** The version and the build of the agent. */
export type SDKControlGetBinaryVersionResponse = {
  version?: string;
  buildTime?: string;
  oldestDesktopSdk?: string;
};

/** Asks how the context window is used. */
export type SDKControlGetContextUsageRequest = {
  subtype: 'get_context_usage';
  /** How to count the tokens. `full`, the default, counts each item by calling the model API. `summary` makes no calls. */
  detail?: 'summary' | 'full';
};

/** How the context window is used. */
export type SDKControlGetContextUsageResponse = {
  categories: {
    /** The id of the category, for programs. The member `name` is meant for people. */
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
    /** The name of a colour in the agent's terminal themes, such as `inactive`. */
    color: string;
    /** True if the category is loaded into the context window only when it is needed. Its tokens are not part of `totalTokens`. */
    isDeferred?: boolean;
    /** The kind of space that the category takes: `used` for occupied space, `free` for empty space, `buffer` for space that is kept free for a compaction, `deferred` for tokens that are not loaded yet. */
    kind: 'used' | 'free' | 'buffer' | 'deferred';
  }[];
  /** The tokens in the context window: the sum of all categories of the kind `used`. */
  totalTokens: number;
  /** The size of the context window in tokens, including free and reserved tokens. */
  maxTokens: number;
  rawMaxTokens: number;
  /** How full the context window is, from 0 to 100, rounded. */
  percentage: number;
  /** A drawing of the context window: rows of squares in the colours of the categories. */
  gridRows: {
    color: string;
    isFilled: boolean;
    /** The `name` of the category that the square belongs to. */
    categoryName: string;
    tokens: number;
    percentage: number;
    /** How much of the square is filled, from 0 to 1. */
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
    /** Whether the tool is in the context window. If false, the model must search for the tool first. */
    isLoaded?: boolean;
  }[];
  mcpInstructions?: {
    serverName: string;
    tokens: number;
  }[];
  deferredBuiltinTools?: {
    name: string;
    tokens: number;
    /** Whether the tool is in the context window. */
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
    /** How many of the commands are in the context window. */
    includedCommands: number;
    tokens: number;
  };
  skills?: {
    totalSkills: number;
    /** How many of the skills are in the context window. */
    includedSkills: number;
    tokens: number;
    /** The skills, each with the number of tokens in its frontmatter, which the model reads before it uses the skill. */
    skillFrontmatter: {
      name: string;
      source: string;
      pluginName?: string;
      pluginId?: string;
      path?: string;
      tokens: number;
    }[];
  };
  /** The number of tokens at which the agent compacts the conversation automatically. */
  autoCompactThreshold?: number;
  isAutoCompactEnabled: boolean;
  /** A breakdown of the tokens of the category `messages`. */
  messageBreakdown?: {
    toolCallTokens: number;
    toolResultTokens: number;
    /** The tokens of attachments: texts that the agent adds to prompts, such as the list of skills. */
    attachmentTokens: number;
    assistantMessageTokens: number;
    userMessageTokens: number;
    redirectedContextTokens: number;
    /** The tokens that are not counted in any other member. */
    unattributedTokens: number;
    toolCallsByType: {
      name: string;
      callTokens: number;
      resultTokens: number;
    }[];
    /** The tokens of the attachments by kind, such as `skill_listing`. */
    attachmentsByType: {
      name: string;
      tokens: number;
    }[];
  };
  /** The token counts that the model API reported with its last reply. `null` before the first reply. */
  apiUsage: {
    input_tokens: number;
    output_tokens: number;
    cache_creation_input_tokens: number;
    cache_read_input_tokens: number;
  } | null;
  /** The source of the threshold for automatic compactions, such as `model-default`. */
  autocompactSource?: string;
};

/** Asks for the list of all hooks. */
export type SDKControlGetHooksListingRequest = {
  subtype: 'get_hooks_listing';
};

/** The hooks from all sources. */
export type SDKControlGetHooksListingResponse = {
  events: {
    name: string;
    summary: string;
    /** Whether hooks for this event can have a matcher. */
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
    /** Whether hooks for this event can have a matcher. */
    supportsMatcher: boolean;
  }[];
  policy: {
    disabledByPolicy: boolean;
    managedOnly: boolean;
    pluginOnly: boolean;
    /** Whether all hooks are switched off, for example by the setting `disableAllHooks`. */
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

/** Asks for the cost of the session so far, as text. */
export type SDKControlGetSessionCostRequest = {
  subtype: 'get_session_cost';
};

/** The cost of the session, as text for people. */
export type SDKControlGetSessionCostResponse = {
  text?: string;
};

/** Asks for the settings in effect. */
export type SDKControlGetSettingsRequest = {
  subtype: 'get_settings';
};

/** The settings in effect, and their sources. */
export type SDKControlGetSettingsResponse = {
  /** The settings in effect, from all sources together. */
  effective?: Record<string, unknown>;
  /** The settings of each source separately. */
  sources?: unknown[];
  /** The values that the session actually uses, such as its model. */
  applied?: Record<string, unknown>;
  served_settings_state?: string;
};

/** Asks for the last part of a task's output. */
export type SDKControlGetTaskOutputRequest = {
  subtype: 'get_task_output';
  task_id: string;
};

/** The last part of a task's output. */
export type SDKControlGetTaskOutputResponse = {
  /** The last part of the output, at most 8 KiB. */
  output: string;
  /** How many bytes the task has written so far. */
  total_bytes: number;
  /** Whether `output` lacks the beginning of the task's output. */
  truncated: boolean;
};

/** Asks how much of the account's limits is used. */
export type SDKControlGetUsageRequest = {
  subtype: 'get_usage';
  skip_behaviors?: boolean;
};

/** How much of the account's limits is used. */
export type SDKControlGetUsageResponse = {
  /** The totals of this session. Present even without an account. */
  session: {
    total_cost_usd: number;
    /** Milliseconds spent in calls to the model API. */
    total_api_duration_ms: number;
    total_duration_ms: number;
    total_lines_added: number;
    total_lines_removed: number;
    /** The usage of each model, by its name. */
    model_usage: Record<string, ModelUsage>;
  };
  /** The plan of the account. `null` if the account has no plan, for example with an API key. */
  subscription_type: string | null;
  /** Whether the agent can report limits. If false, `rate_limits` is `null`. */
  rate_limits_available: boolean;
  rate_limits: {
    five_hour?: {
      utilization: number | null;
      /** When the limit resets, as text. In `rate_limit_event`, such times are numbers of seconds since 1970. */
      resets_at: string | null;
    } | null;
    seven_day?: {
      utilization: number | null;
      /** When the limit resets, as text. In `rate_limit_event`, such times are numbers of seconds since 1970. */
      resets_at: string | null;
    } | null;
    seven_day_oauth_apps?: {
      utilization: number | null;
      /** When the limit resets, as text. In `rate_limit_event`, such times are numbers of seconds since 1970. */
      resets_at: string | null;
    } | null;
    seven_day_opus?: {
      utilization: number | null;
      /** When the limit resets, as text. In `rate_limit_event`, such times are numbers of seconds since 1970. */
      resets_at: string | null;
    } | null;
    seven_day_sonnet?: {
      utilization: number | null;
      /** When the limit resets, as text. In `rate_limit_event`, such times are numbers of seconds since 1970. */
      resets_at: string | null;
    } | null;
    /** Limits for individual models, each with a name for display. */
    model_scoped?: {
      display_name: string;
      utilization: number | null;
      resets_at: string | null;
    }[];
    /** The allowed and the actual usage beyond the plan's limits. */
    extra_usage?: {
      is_enabled: boolean;
      monthly_limit: number | null;
      used_credits: number | null;
      utilization: number | null;
      currency?: string | null;
    } | null;
  } | null;
  /** How different kinds of work contributed to usage in the last day and the last week. `null` if the agent has nothing to report. */
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

/** Opens the session, and informs the agent which features the host supports and requests. A later `initialize` replaces the members that it contains, and changes nothing else. */
export type SDKControlInitializeRequest = {
  subtype: 'initialize';
  /** The host's hooks, by event. They replace all hooks of an earlier `initialize`. `null` means the same as an absent member. */
  hooks?: Partial<Record<HookEvent, SDKHookCallbackMatcher[]>> | null;
  /** The names of the MCP servers inside the host program, which the agent reaches with `mcp_message` requests. */
  sdkMcpServers?: string[];
  /** Settings of the MCP servers inside the host program, by the name of the server. */
  sdkMcpServerConfigs?: Record<
    string,
    {
      /** How long a tool call may take, in milliseconds. Values below 1000 are ignored. Default: the environment variable `MCP_TOOL_TIMEOUT`, or no limit if the variable is not set. */
      timeout?: number;
      tools?: McpServerToolPolicy[];
    }
  >;
  /** The handshake answers of the MCP servers inside the host program, by the name of the server. The host has already made this handshake, so the agent need not repeat it. */
  sdkMcpServerManifests?: Record<
    string,
    {
      /** The result that the server gave to the MCP request `initialize`. */
      initializeResult: Record<string, unknown>;
      /** The result that the server gave to the MCP request `tools/list`. */
      toolsListResult?: Record<string, unknown>;
    }
  >;
  /** States when the host made `sdkMcpServerManifests`. `host_per_send`: for this request, from the current state of its servers. In a remote session, the agent ignores manifests without this member, because a stored request may be old. Not needed over stdio. */
  sdkMcpServerManifestsOrigin?: 'host_per_send';
  /** The JSON Schema that `structured_output` in results must satisfy. */
  jsonSchema?: Record<string, unknown>;
  /** The parts of a system prompt that replaces the agent's system prompt. A single empty string means an empty system prompt. */
  systemPrompt?: string[];
  /** Text to append to the agent's system prompt. */
  appendSystemPrompt?: string;
  /** If true, the agent stores the system prompt of the first request to the model, and sends the same prompt with all later requests, also after a resume, until the conversation is compacted. If false, the agent creates the system prompt for each request. Default true. */
  systemPromptSnapshot?: boolean;
  /** Instructions for the model in the permission mode `plan`. */
  planModeInstructions?: string;
  /** The name of a tool for each alias. A name that is itself an alias is not resolved further. */
  toolAliases?: Record<string, string>;
  /** If true, the system prompt contains nothing that changes from run to run, so that it can be cached. */
  excludeDynamicSections?: boolean;
  /** Subagents that the host defines, by name. */
  agents?: Record<string, AgentDefinition>;
  /** The title of the session. */
  title?: string;
  /** The skills that are offered to the model. If absent, all skills are offered. */
  skills?: string[];
  /** If true, the agent may send a `prompt_suggestion` after each result. */
  promptSuggestions?: boolean;
  /** If true, the agent summarises the work of subagents in the `summary` member of `task_progress`. */
  agentProgressSummaries?: boolean;
  /** If true, the agent also sends the texts of subagents. */
  forwardSubagentText?: boolean;
  /** The kinds of dialogs that the host can show. The agent does not send a `request_user_dialog` of any other kind. */
  supportedDialogKinds?: string[];
  /** If true, the host lets users stop each background task separately, with `stop_task`. */
  perTaskStopAffordance?: boolean;
  /** Plugins to load. Ignored unless the agent was started with `--await-initialize`. */
  plugins?: SdkPluginConfig[];
  /** MCP servers by name. Ignored unless the agent was started with `--await-initialize`. */
  mcpServers?: Record<string, McpServerConfigForProcessTransport>;
};

/** What the agent offers. Some members were seen on the wire but are not declared by the published SDK. */
export type SDKControlInitializeResponse = {
  commands: SlashCommand[];
  agents: AgentInfo[];
  /** The output style in use, from the list `available_output_styles`. */
  output_style: string;
  available_output_styles: string[];
  models: ModelInfo[];
  account: AccountInfo;
  /** True if the hooks of the request are registered. Absent if the request had no hooks. */
  hooks_applied?: boolean;
  /** True if the agent supports `onFailure` of hooks. Older agents ignore `onFailure`. */
  hook_on_failure_supported?: boolean;
  /** True if the agent applied the `plugins` of the request. Absent if the request had no plugins. */
  plugins_applied?: boolean;
  /** True if the agent applied the `mcpServers` of the request. Absent if the agent did not apply them. */
  mcp_servers_applied?: boolean;
  /** What the agent did with each of the `sdkMcpServerManifests`, by the name of the server. */
  sdk_mcp_manifests_parked?: Record<
    string,
    'parked' | 'already_connected' | 'protocol_version_mismatch' | 'malformed' | 'not_honoured'
  >;
  /** The version of the agent. */
  claude_code_version?: string;
  fast_mode_state?: FastModeState;
  /** Why fast mode is not available. Absent if nothing prevents it. */
  fast_mode_disabled_reason?: FastModeDisabledReason;
  /** The folder with the user's output styles. */
  user_output_styles_dir?: string;
  /** The process id of the agent. */
  pid?: number;
  current_permission_mode?: PermissionMode;
  /** `idle` or `running`, as in the message `session_state_changed`. */
  session_state?: string;
  /** The names of features that the agent supports. The list in `system/init` is longer. */
  capabilities?: string[];
  hooks_when_unanswered_kept?: number;
  other_hook_ask_outranks_host?: boolean;
  feedback_mode?: Record<string, unknown>;
  analytics_disabled?: boolean;
  /** Whether the agent runs shell commands in its sandbox. `unknown` if the agent does not know. */
  sandbox_enabled?: boolean | 'unknown';
  remote_control_auto_enable?: boolean;
  remote_control_auto_connect_default?: boolean;
  remote_control_available?: boolean;
  remote_control_auto_on_by_default?: boolean;
  ide_rc_auto_enable_gate?: boolean;
};

/** Ends the running turn. With `cancel_queued`, also drops the queued prompts. */
export type SDKControlInterruptRequest = {
  subtype: 'interrupt';
  /** If true, the agent also drops the queued prompts. Requires the capability `interrupt_cancel_queued_v1`. */
  cancel_queued?: boolean;
};

/** The receipt of an interrupt: the prompts that are still queued, and the prompts that were dropped. Older agents send an empty receipt. */
export type SDKControlInterruptResponse = {
  /** The `uuid`s of the prompts that are still queued. */
  still_queued?: string[];
  /** The `uuid`s of the prompts that were dropped. Present only with `cancel_queued`. */
  cancelled?: string[];
};

/** Asks which models the host may choose. */
export type SDKControlListModelsRequest = {
  subtype: 'list_models';
};

/** The models that the host may choose. */
export type SDKControlListModelsResponse = {
  models?: ModelInfo[];
};

/** Asks for the permission rules in effect. */
export type SDKControlListPermissionRulesRequest = {
  subtype: 'list_permission_rules';
};

/** The permission rules in effect. */
export type SDKControlListPermissionRulesResponse = {
  state: SDKControlPermissionRulesState;
};

/** Calls a tool of an MCP server without involving the model. */
export type SDKControlMcpCallRequest = {
  subtype: 'mcp_call';
  /** The full name of the tool, `mcp__SERVER__TOOL`. */
  tool: string;
  /** The input of the tool. In the strings of the input, `{{in:NAME}}` and `{{out:NAME}}` stand for the files in `input_files` and `output_files`. */
  arguments?: Record<string, unknown>;
  /** When the call expires, as an RFC 3339 time. Required with `output_files`. */
  expires_at?: string;
  /** How long the call may take, in milliseconds, from 1000 to 600000. Default 120000. */
  timeout_ms?: number;
  /** If true, the blocks of the result are sent unchanged, and a result of more than 10485760 characters is an error. */
  result_not_for_model?: boolean;
  /** If true, the call needs the same permission as a call made by the model, and the agent may ask with `can_use_tool`. Otherwise the call is allowed. */
  check_permissions?: boolean;
  /** If true and the tool returns an error, the agent sends a success response that contains `isError`, instead of an error response. Agents without `mcp_call_soft_error_result_v1` ignore this member. */
  soft_error_result?: boolean;
  /** Files that the tool reads. */
  input_files?: {
    name: string;
    lane_path: string;
  }[];
  /** Files that the tool writes. */
  output_files?: {
    name: string;
    lane_path: string;
    /** The expected state of the file. If the actual state differs, the file is not written. */
    if_match?: string;
  }[];
};

/** The output of the tool. */
export type SDKControlMcpCallResponse = {
  /** The content blocks of the result. */
  content?: unknown;
  /** True if the tool returned an error. Only in answers to requests with `soft_error_result`. */
  isError?: boolean;
  /** The result as JSON, if the tool also returned JSON. */
  structuredContent?: unknown;
  _meta?: Record<string, unknown>;
  staging?: unknown;
};

/** Contains an MCP message to or from an MCP server inside the host program. */
export type SDKControlMcpMessageRequest = {
  subtype: 'mcp_message';
  /** The MCP server inside the host program that receives or sent the message. */
  server_name: string;
  /** A JSON-RPC message. In a request from the agent, the message is sent to the server. In a request from the host, it comes from the server. */
  message: JSONRPCMessage;
};

/** The response to an MCP message. A host's response contains the answer of the MCP server. An agent's response is only an acknowledgement. */
export type SDKControlMcpMessageResponse = {
  /** The server's JSON-RPC answer. The answer to a notification has an empty result. Absent in a response from an agent. */
  mcp_response?: JSONRPCMessage;
};

/** Reads a resource of an MCP server. */
export type SDKControlMcpReadResourceRequest = {
  subtype: 'mcp_read_resource';
  serverName: string;
  /** The URI of the resource. Agents serve only URIs that begin with `ui://`. */
  uri: string;
};

/** The resource, as text or as base64. */
export type SDKControlMcpReadResourceResponse = {
  contents: {
    uri: string;
    mimeType?: string;
    /** The content of the resource, if it is text. */
    text?: string;
    /** The content of the resource in base64, if it is not text. */
    blob?: string;
    _meta?: Record<string, unknown>;
  }[];
};

/** Reconnects an MCP server. */
export type SDKControlMcpReconnectRequest = {
  subtype: 'mcp_reconnect';
  serverName: string;
};

/** Replaces the MCP servers that the host has added. */
export type SDKControlMcpSetServersRequest = {
  subtype: 'mcp_set_servers';
  /** All MCP servers that the host adds, by name. Servers that the host added earlier are removed if this list does not contain them. */
  servers: Record<string, McpServerConfigForProcessTransport>;
};

/** Asks for the state of all MCP servers. */
export type SDKControlMcpStatusRequest = {
  subtype: 'mcp_status';
  /** This member has an effect only in remote sessions. */
  liveReply?: boolean;
};

/** The state of all MCP servers. */
export type SDKControlMcpStatusResponse = {
  mcpServers: McpServerStatus[];
};

/** Enables or disables an MCP server. */
export type SDKControlMcpToggleRequest = {
  subtype: 'mcp_toggle';
  serverName: string;
  enabled: boolean;
};

/** Asks whether the agent may call a tool. */
export type SDKControlPermissionRequest = {
  subtype: 'can_use_tool';
  /** The name by which the model calls the tool. `mcp__SERVER__TOOL` for a tool of an MCP server. */
  tool_name: string;
  /** The MCP server of the tool. Absent for the agent's own tools. */
  mcp_server?: McpServerProvenance;
  /** The input of the call. The agent may have filled in defaults. */
  input: Record<string, unknown>;
  /** Changes to the permission rules that the host may offer to the user. Send the chosen changes back as `updatedPermissions`. */
  permission_suggestions?: PermissionUpdate[];
  /** The path that made the question necessary. Absent if the reason is not a path. */
  blocked_path?: string;
  /** Why the agent asks, as text for people. May contain ANSI colours. */
  decision_reason?: string;
  /** Why the agent asks, as a code for programs. */
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
  /** Whether a classifier could approve the call. Present if a safety check is involved. */
  classifier_approvable?: boolean;
  /** If true, do not offer to always allow such calls. */
  suppress_always_allow_rule?: boolean;
  /** If true, do not preselect approval. */
  default_to_no?: boolean;
  /** The rule that requires the agent to ask before such calls. Absent if no such rule exists. */
  matched_ask_rule?: {
    source: string;
    tool_name: string;
    /** The pattern of the rule. Absent if the rule applies to all calls of the tool. */
    rule_content?: string;
  };
  /** The question as a sentence, for display. */
  title?: string;
  /** A short name of the tool, for display. */
  display_name?: string;
  /** The id of the tool call. The agent uses this id to recognise late and repeated answers. */
  tool_use_id: string;
  /** The id of the subagent that makes the call. Absent in the main conversation. */
  agent_id?: string;
  /** A line to display with the question, such as the purpose of a command. */
  description?: string;
  /** True if asking the user is the purpose of the tool, as with `AskUserQuestion` and `ExitPlanMode`. */
  requires_user_interaction?: boolean;
  server_policy_ask_only?: boolean;
};

/** All permission rules in effect. */
export type SDKControlPermissionRulesState = {
  rules: SDKPermissionRuleEntry[];
  workspaceDirectories: SDKPermissionWorkspaceDirectory[];
  /** The working directory in which the session started. */
  originalCwd: string;
  managedOnly: boolean;
  errors?: SDKSettingsParseError[];
  withheld?: boolean;
};

/** Reads a file, if the permission rules for reading allow it. */
export type SDKControlReadFileRequest = {
  subtype: 'read_file';
  path: string;
  /** The maximum number of bytes to read. Default 1 MB. */
  max_bytes?: number;
  /** The encoding of `contents` in the answer. Use `base64` for files that are not text. */
  encoding?: 'utf-8' | 'base64';
};

/** The contents of the file. */
export type SDKControlReadFileResponse = {
  /** The text of the file, or its bytes in base64 if `encoding` is `base64`. */
  contents: string;
  /** The absolute path of the file that was read. */
  absPath: string;
  /** True if the file is longer than `max_bytes`, so that `contents` lacks the end of the file. */
  truncated?: boolean;
  /** The encoding of `contents`. Absent if `contents` is text. */
  encoding?: 'base64';
  lossy?: boolean;
  /** The `path` of the request, unchanged. */
  requested_path?: string;
};

/** Adds a directory below the working directory as a repository root. */
export type SDKControlRegisterRepoRootRequest = {
  subtype: 'register_repo_root';
  /** A directory below the working directory, or below a directory given with `--add-dir`. Any other directory is refused. */
  directory: string;
  /** If true, the instruction files (`CLAUDE.md`) are reloaded. */
  reload_claude_md?: boolean;
  reload_plugins?: boolean;
  reload_skills?: boolean;
};

/** Reloads the output styles. */
export type SDKControlReloadOutputStylesRequest = {
  subtype: 'reload_output_styles';
};

/** All output styles after they were reloaded. */
export type SDKControlReloadOutputStylesResponse = {
  available_output_styles: string[];
};

/** Reloads the plugins, and adds the plugins in `add_plugins`. */
export type SDKControlReloadPluginsRequest = {
  subtype: 'reload_plugins';
  hold_on_cache_impact?: boolean;
  add_plugins?: SdkPluginConfig[];
  /** If true, a busy agent refuses the request with the error `reload_plugins_busy`. Requires the capability `reload_plugins_refuse_if_busy_v1`. */
  refuse_if_busy?: boolean;
};

/** The commands, subagents, plugins and MCP servers after the plugins were reloaded. */
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

/** Reloads the skills. */
export type SDKControlReloadSkillsRequest = {
  subtype: 'reload_skills';
};

/** All skills after they were reloaded. */
export type SDKControlReloadSkillsResponse = {
  skills: SlashCommand[];
};

/** Gives the session a title. */
export type SDKControlRenameSessionRequest = {
  subtype: 'rename_session';
  title: string;
  /** Who chose the title. Default `remote`. */
  source?: 'remote' | 'host';
  /** The session to rename. Only the current session is accepted. */
  session_id?: string;
};

/** A request to the other side, on the same stream as the messages. Each side chooses ids for the requests that it sends. */
export type SDKControlRequest = {
  type: 'control_request';
  /** An id that the sender chooses. The id must differ from the ids of all other pending requests from this sender, but the other side may use the same id for its own requests. The text of an id has no meaning. */
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

/** The progress of a control request that takes a long time. */
export type SDKControlRequestProgressMessage = {
  type: 'system';
  subtype: 'control_request_progress';
  /** The id of the control request that the agent is serving. */
  request_id: string;
  /** What the agent is doing. `api_retry` means that a call to the model API failed and will be retried. The members `attempt`, `max_retries` and `retry_delay_ms` describe the retry. */
  status: 'started' | 'api_retry';
  /** The number of the retry. Present only with `api_retry`. */
  attempt?: number;
  /** The maximum number of retries. Present only with `api_retry`. */
  max_retries?: number;
  /** Milliseconds from the failure to the retry. Present only with `api_retry`. */
  retry_delay_ms?: number;
  /** The HTTP status of the failure. `null` if no response arrived. Present only with `api_retry`. */
  error_status?: number | null;
  uuid: UUID;
  session_id: string;
};

/** Asks the host to show a dialog of a kind that the host announced in `initialize`. */
export type SDKControlRequestUserDialogRequest = {
  subtype: 'request_user_dialog';
  /** The kind of the dialog, from the `supportedDialogKinds` in `initialize`. A host that did not list this kind must not answer. */
  dialog_kind: string;
  /** The contents of the dialog. The members depend on the kind of dialog. */
  payload: Record<string, unknown>;
  /** The id of the tool call that the dialog belongs to. Absent if the dialog does not belong to a call. */
  tool_use_id?: string;
};

/** The answer to a control request. The id of the request is inside `response`. A message whose `subtype` is neither `success` nor `error` is not an answer. */
export type SDKControlResponse = {
  type: 'control_response';
  response: ControlResponse | ControlErrorResponse;
  /** True if the server does not store the answer for clients that join later. Present only in remote sessions. */
  live_only?: boolean;
};

/** Restores the files to their state before a prompt. */
export type SDKControlRewindFilesRequest = {
  subtype: 'rewind_files';
  /** The `uuid` of a prompt. The files are restored to their state before this prompt. */
  user_message_id: string;
  /** If true, no file is changed, and the answer only lists what would change. */
  dry_run?: boolean;
};

/** Informs the agent that the host has read a file, so that the agent may edit it. */
export type SDKControlSeedReadStateRequest = {
  subtype: 'seed_read_state';
  path: string;
  /** When the file was last changed, as the host saw it, in whole milliseconds since 1970. */
  mtime: number;
};

/** Sets the accent colour of the session. */
export type SDKControlSetColorRequest = {
  subtype: 'set_color';
  /** A colour, or `default`. */
  color: string;
};

/** Informs the agent whether any client reads the stream events. */
export type SDKControlSetHasSubscribersRequest = {
  subtype: 'set_has_subscribers';
  /** This member has an effect only if the agent was started with the environment variable `CLAUDE_CODE_STREAM_EVENT_HOLD_MS`. */
  has_subscribers: boolean | null;
};

/** Limits the model's thinking. `null` restores the default limit. */
export type SDKControlSetMaxThinkingTokensRequest = {
  subtype: 'set_max_thinking_tokens';
  /** The limit in tokens. `null` means the session's default. If absent, the limit does not change. */
  max_thinking_tokens?: number | null;
  thinking_display?: 'summarized' | 'omitted' | 'highlights' | null;
};

/** Chooses the model for the following turns. If `model` is `null`, `default` or absent, the choice is reset. */
export type SDKControlSetModelRequest = {
  subtype: 'set_model';
  /** An alias or an id, taken from the `value` of one of the models that the agent offers. */
  model?: string | null;
};

/** The model that is used from now on. */
export type SDKControlSetModelResponse = {
  /** The id of the model, even if the request named an alias. */
  model?: string | null;
};

/** Changes what the agent may do without asking for permission. */
export type SDKControlSetPermissionModeRequest = {
  subtype: 'set_permission_mode';
  /** The new mode. Agents also accept `manual`, which means `default`. `bypassPermissions` is refused unless it was allowed when the agent started. */
  mode: PermissionMode;
};

/** The permission mode that applies from now on. */
export type SDKControlSetPermissionModeResponse = {
  mode?: PermissionMode;
};

/** Stops a task. Also succeeds if the task has already ended. */
export type SDKControlStopTaskRequest = {
  subtype: 'stop_task';
  task_id: string;
};

/** Writes one of the few settings that a host may change. */
export type SDKControlUpdateSettingsRequest = {
  subtype: 'update_settings';
  /** The settings file to write: the user's settings for this project (`localSettings`) or for all projects (`userSettings`). */
  source: 'localSettings' | 'userSettings';
  /** Settings by name, with strings as values. Only `outputStyle` is accepted for `localSettings`, and only `effortLevel` for `userSettings`. Any other setting is refused. */
  settings: Record<string, unknown>;
};

/** A new, empty conversation starts. Later messages have a new `session_id`, and all totals restart at zero. */
export type SDKConversationResetMessage = {
  type: 'conversation_reset';
  /** The key of the new transcript. The following messages have a new `session_id`, which differs from this key. */
  new_conversation_id: UUID;
  trigger?: 'clear' | 'plan_mode_exit' | 'fresh_session' | 'onboarding';
  /** The `uuid` of the prompt `/clear`. Present only if `trigger` is `clear`. */
  user_message_uuid?: string;
  /** When the message was made, in ISO 8601. Display this time, but do not sort messages by it. */
  timestamp?: string;
  uuid: UUID;
  session_id: string;
};

/** A tool call that a hook deferred. The turn ended before the tool ran. */
export type SDKDeferredToolUse = {
  id: string;
  name: string;
  input: Record<string, unknown>;
};

/** The user has completed the action that an MCP server requested on a web page. */
export type SDKElicitationCompleteMessage = {
  type: 'system';
  subtype: 'elicitation_complete';
  mcp_server_name: string;
  /** The `elicitation_id` of the `elicitation` request. */
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

/** Callbacks for one event. A host that needs no matcher leaves out `matcher`, or sends an empty string or `null`. */
export type SDKHookCallbackMatcher = {
  /** The tools, or other subjects of the event, to which the callbacks apply: names separated by `|`, or a regular expression. If absent, the callbacks apply to all subjects. */
  matcher?: string | null;
  /** Ids chosen by the host. When the event happens, the agent sends one `hook_callback` request for each id, all at the same time. */
  hookCallbackIds: string[];
  /** How many seconds each callback may take. When this time has passed, the tool call or the prompt is refused. Default: no limit. */
  timeout?: number;
  /** The effect of an error or an invalid answer. With `continue`, the default, the failure is ignored. With `block`, the action is refused. */
  onFailure?: 'continue' | 'block';
};

/** Calls a hook of the host, by the id that the host has registered for it. */
export type SDKHookCallbackRequest = {
  subtype: 'hook_callback';
  /** The id of the hook, from the `hookCallbackIds` in `initialize`. */
  callback_id: string;
  input: HookInput;
  /** The id of the tool call that caused the event. For an event without a tool call, a new id that does not belong to any call. */
  tool_use_id?: string;
};

/** The output of a running hook so far. */
export type SDKHookProgressMessage = {
  type: 'system';
  subtype: 'hook_progress';
  /** The id of one run of the hook, the same in all messages about this run. */
  hook_id: string;
  /** A label for the hook, for display. */
  hook_name: string;
  /** The event that the hook runs for, such as `SessionStart`. */
  hook_event: string;
  stdout: string;
  stderr: string;
  /** The combined text of `stdout` and `stderr`. */
  output: string;
  uuid: UUID;
  session_id: string;
};

/** A hook has ended. */
export type SDKHookResponseMessage = {
  type: 'system';
  subtype: 'hook_response';
  /** The id of one run of the hook, the same in all messages about this run. */
  hook_id: string;
  /** A label for the hook, for display. */
  hook_name: string;
  /** The event that the hook runs for, such as `SessionStart`. */
  hook_event: string;
  /** The combined text of `stdout` and `stderr`. */
  output: string;
  stdout: string;
  stderr: string;
  /** The exit code of the hook. Present only if the hook is a command. */
  exit_code?: number;
  outcome: 'success' | 'error' | 'cancelled';
  uuid: UUID;
  session_id: string;
};

/** A hook has started. */
export type SDKHookStartedMessage = {
  type: 'system';
  subtype: 'hook_started';
  /** The id of one run of the hook, the same in all messages about this run. */
  hook_id: string;
  /** A label for the hook, for display. */
  hook_name: string;
  /** The event that the hook runs for, such as `SessionStart`. */
  hook_event: string;
  uuid: UUID;
  session_id: string;
};

/** A text to show in the transcript. */
export type SDKInformationalMessage = {
  type: 'system';
  subtype: 'informational';
  /** Plain text to display. */
  content: string;
  level: 'info' | 'notice' | 'suggestion' | 'warning';
  /** The id of the tool call that the text describes. A new text about the progress of a call replaces the previous text. */
  tool_use_id?: string;
  /** True if the turn does not continue. */
  prevent_continuation?: boolean;
  /** The subject of the text, as a code for programs, such as `hook_callback_failed` if a hook of the host failed. */
  tag?: string;
  /** What happened to a prompt that a hook blocked. */
  prompt_submit_outcome?: {
    kind: string;
    prompt_kept: boolean;
    reason?: string;
  };
  uuid: UUID;
  session_id: string;
};

/** Shows that the sender is alive. Receivers ignore this message. */
export type SDKKeepAliveMessage = {
  type: 'keep_alive';
  startup_mark?: string;
};

/** The output of a local slash command. */
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
  /** The size of the file in bytes. */
  size?: number;
  /** The audience and the priority of the file, as MCP defines them. */
  annotations?: Record<string, unknown>;
};

/** Memories were added to the model's context. */
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

/** Who sent a message. If the `kind` is unknown, assume that the sender is not a person. */
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
      /** What sent the notification, such as `session-task`. */
      producer?: string;
      /** The `run_id` of the task that ended. */
      runId?: string;
    }
  | {
      kind: 'observer';
      from: string;
      senderTaskId: string;
    };

/** The host's session store could not append entries. Host libraries create this message; agents never send it. */
export type SDKMirrorErrorMessage = {
  type: 'system';
  subtype: 'mirror_error';
  error: string;
  /** The key under which the session store keeps the entries. */
  key: {
    projectKey: string;
    sessionId: string;
    subpath?: string;
  };
  uuid: UUID;
  session_id: string;
};

/** A model could not be used, and another model replaced it. Seen on the wire, not declared by the published SDK. */
export type SDKModelFallbackMessage = {
  type: 'system';
  subtype: 'model_fallback';
  trigger: 'overloaded' | 'server_error' | 'last_resort' | 'model_not_found' | 'permission_denied';
  original_model?: string;
  fallback_model?: string;
  /** A text to display. */
  content?: string;
  uuid: UUID;
  session_id: string;
};

/** A model refused to answer, and the agent retried with another model. */
export type SDKModelRefusalFallbackMessage = {
  type: 'system';
  subtype: 'model_refusal_fallback';
  trigger: 'refusal';
  /** The direction of the switch. Current agents send only `retry`. */
  direction: 'retry' | 'revert' | 'sticky';
  /** The scope of the switch. Default `session`. */
  scope?: 'session' | 'local';
  original_model: string;
  /** The id of the refused request to the model API, or `null`. */
  request_id: string | null;
  /** The kind of refusal, as named by the model API. New kinds may be added. */
  api_refusal_category?: string | null;
  /** Why the model refused, as text for people. */
  api_refusal_explanation?: string | null;
  /** The `uuid` of the prompt that the host should offer to the user for editing. `null` if the host should offer none. */
  refused_user_message_uuid?: string | null;
  /** A text to display. */
  content: string;
  fallback_model: string;
  /** The `uuid`s of messages to delete. The same `uuid` may be listed more than once. */
  retracted_message_uuids?: string[];
  uuid: UUID;
  session_id: string;
};

/** A model refused to answer, and the agent did not try another model. */
export type SDKModelRefusalNoFallbackMessage = {
  type: 'system';
  subtype: 'model_refusal_no_fallback';
  original_model: string;
  /** The id of the refused request to the model API, or `null`. */
  request_id: string | null;
  /** The kind of refusal, as named by the model API. New kinds may be added. */
  api_refusal_category?: string | null;
  /** Why the model refused, as text for people. */
  api_refusal_explanation?: string | null;
  /** The `uuid` of the prompt that the host should offer to the user for editing. `null` if the host should offer none. */
  refused_user_message_uuid?: string | null;
  /** A text to display. */
  content: string;
  uuid: UUID;
  session_id: string;
};

/** A text to show in the notification area of the user interface. */
export type SDKNotificationMessage = {
  type: 'system';
  subtype: 'notification';
  /** The key of the notification. Notifications with the same key have the same meaning, so display only one of them. */
  key: string;
  text: string;
  priority: 'low' | 'medium' | 'high' | 'immediate';
  color?: string;
  timeout_ms?: number;
  uuid: UUID;
  session_id: string;
};

/** One stream event from the model API, sent as soon as it arrives. */
export type SDKPartialAssistantMessage = {
  type: 'stream_event';
  /** The event as the model API sent it. The agent does not pass on `ping` and `error` events. */
  event: StreamEvent;
  /** The id of the tool call that the subagent works for. `null` in the main conversation. */
  parent_tool_use_id: string | null;
  /** Milliseconds until the reply started. Present only on the first event of a reply. */
  ttft_ms?: number;
  /** The `uuid` of the prompt that the turn answers. Present only on the first reply and on the result of the turn, and only if the prompt has a `uuid`. */
  user_message_uuid?: string;
  /** The `uuid`s of all prompts that have been part of the turn so far, in order, at most 64. Present whenever `user_message_uuid` is present, and includes that `uuid`. */
  user_message_uuids?: string[];
  /** Why the turn was resumed. Present only if the turn continues an earlier turn that a worker restart cut off. The value is `interrupted_turn`, unless the agent was given a different reason. */
  resume_reason?: string;
  thinking_display?: string;
  /** The `message.id` of the reply that the event belongs to. */
  api_message_id?: string;
  /** Reports that some blocks of a reply will not be completed: all blocks whose index is `from_block_index` or higher. */
  abandoned_blocks?: {
    api_message_id: string;
    from_block_index: number;
  };
  owed_rows?: unknown[];
  uuid: UUID;
  session_id: string;
};

/** A tool call that was denied. */
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
  /** The id of the subagent that made the call. Absent in the main conversation. */
  agent_id?: string;
  /** The basis of the decision. New values may be added. */
  decision_reason_type?: string;
  /** The reason for the decision, as text for people. */
  decision_reason?: string;
  /** The text that the model reads as the result of the call. */
  message: string;
  uuid: UUID;
  session_id: string;
};

/** A permission rule as a readable sentence, in three parts. */
export type SDKPermissionRuleDescription = {
  prefix: string;
  /** The part of the text to emphasise. */
  emphasis?: string;
  suffix?: string;
};

/** A permission rule, and its source. */
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
  /** The rule as written in settings files, such as `Bash(git log *)`. */
  rule: string;
  description?: SDKPermissionRuleDescription;
  /** Whether the rule can be changed permanently, only for this session, or not at all. */
  editability: 'persistent' | 'session' | 'readonly';
  notInEffect?: boolean;
};

/** A directory that the agent may use, and where this permission comes from. */
export type SDKPermissionWorkspaceDirectory = {
  path: string;
  source: string;
};

/** Plugins are being installed. */
export type SDKPluginInstallMessage = {
  type: 'system';
  subtype: 'plugin_install';
  status: 'started' | 'installed' | 'failed' | 'completed';
  /** The name of the marketplace that the message refers to. */
  name?: string;
  /** The text of the error. Do not trust this text, because it comes from outside the agent. */
  error?: string;
  uuid: UUID;
  session_id: string;
};

/** A suggestion for the user's next prompt. Sent after a result. */
export type SDKPromptSuggestionMessage = {
  type: 'prompt_suggestion';
  suggestion: string;
  uuid: UUID;
  session_id: string;
};

/** A notification for an agent with the capability `queued_notifications`. The other members of this message are not known. */
export type SDKQueuedNotificationMessage = {
  type: 'queued_notification';
};

/** The state of the plan's limits has changed. */
export type SDKRateLimitEvent = {
  type: 'rate_limit_event';
  rate_limit_info: SDKRateLimitInfo;
  uuid: UUID;
  session_id: string;
};

/** How much of the plan's limits is used. Times are in seconds since 1970. */
export type SDKRateLimitInfo = {
  status: 'allowed' | 'allowed_warning' | 'rejected';
  /** When the limit resets, in seconds since 1970. */
  resetsAt?: number;
  rateLimitType?:
    | 'five_hour'
    | 'seven_day'
    | 'seven_day_opus'
    | 'seven_day_sonnet'
    | 'seven_day_overage_included'
    | 'overage';
  utilization?: number;
  /** Like `status`, but for usage beyond the plan's limits. */
  overageStatus?: 'allowed' | 'allowed_warning' | 'rejected';
  /** Like `resetsAt`, but for usage beyond the plan's limits. */
  overageResetsAt?: number;
  /** Why usage beyond the plan's limits is not allowed. */
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

/** The end of a turn that was cut off, because the turn was interrupted, failed, or exceeded a limit. */
export type SDKResultError = {
  type: 'result';
  subtype:
    | 'error_during_execution'
    | 'error_max_turns'
    | 'error_max_budget_usd'
    | 'error_max_structured_output_retries';
  /** The duration of this turn, in milliseconds of real time. */
  duration_ms: number;
  /** Milliseconds spent in calls to the model API, summed up since the agent process started. */
  duration_api_ms: number;
  /** The number of rounds in the turn. The prompt counts as one round, and so does each later user message, such as a tool result. 0 if no model was called. */
  num_turns: number;
  /** The cost in US dollars since the agent process started or since `/clear`, including earlier turns. */
  total_cost_usd: number;
  usage: NonNullableUsage;
  /** The usage of each model, by its name, summed up since the agent process started. Use these figures for accounting. */
  modelUsage: Record<string, ModelUsage>;
  /** All tool calls of the turn that were denied. Rely on this list, not on `permission_denied` messages. */
  permission_denials: SDKPermissionDenial[];
  /** The number of queued turns. If it is above 0, another turn follows without further input. */
  queued_turn_count?: number;
  /** Why the turn ended. Absent if a slash command answered the prompt without the model. */
  terminal_reason?: TerminalReason;
  /** The number of this result, counted from 0 since the agent process started. A gap means that a result was lost. */
  result_index?: number;
  /** When the login expires, in ISO 8601. Absent if the time is not known. */
  credential_expires_at?: string;
  fast_mode_state?: FastModeState;
  /** Why fast mode is not available. Absent if nothing prevents it. */
  fast_mode_disabled_reason?: FastModeDisabledReason;
  /** Who sent the prompt of the turn. If absent, the sender is unknown. */
  origin?: SDKMessageOrigin;
  /** The `uuid` of the prompt that the turn answers. Present only on the first reply and on the result of the turn, and only if the prompt has a `uuid`. */
  user_message_uuid?: string;
  /** The `uuid`s of all prompts that have been part of the turn so far, in order, at most 64. Present whenever `user_message_uuid` is present, and includes that `uuid`. */
  user_message_uuids?: string[];
  /** Why the turn was resumed. Present only if the turn continues an earlier turn that a worker restart cut off. The value is `interrupted_turn`, unless the agent was given a different reason. */
  resume_reason?: string;
  safety_stops?: number;
  /** The `message.id` of each reply that began during the turn. */
  begun_message_ids?: string[];
  /** How many subagents were requested, refused and started, and how they ended. */
  subagent_stats?: Record<string, unknown>;
  /** Like `modelUsage`, but summed up since the previous result. */
  model_usage_since_last_result?: Record<string, ModelUsage>;
  /** Whether the turn ended with an error. Always true in a result of this kind. */
  is_error: boolean;
  /** The stop reason of the last reply. `null` if the model did not reply. */
  stop_reason: string | null;
  /** Describes what went wrong, as texts for people. After an interrupt, the list contains one text. */
  errors: string[];
  /** Why the agent refused to start. Present only if the agent refused to start. In this case, all figures in the result are zero. */
  startup_failure_reason?: SDKStartupFailureReason;
  /** The invalid configuration file. Present only with the startup failure `config_file_invalid`. */
  invalid_config_file?: {
    path: string;
    is_global: boolean;
    backup_searched: boolean;
    backup_path?: string;
  };
  uuid: UUID;
  session_id: string;
};

/** The end of a turn that was not cut off. `is_error` says whether `result` is the model's answer or an error. */
export type SDKResultSuccess = {
  type: 'result';
  subtype: 'success';
  /** The duration of this turn, in milliseconds of real time. */
  duration_ms: number;
  /** Milliseconds spent in calls to the model API, summed up since the agent process started. */
  duration_api_ms: number;
  /** The number of rounds in the turn. The prompt counts as one round, and so does each later user message, such as a tool result. 0 if no model was called. */
  num_turns: number;
  /** The cost in US dollars since the agent process started or since `/clear`, including earlier turns. */
  total_cost_usd: number;
  usage: NonNullableUsage;
  /** The usage of each model, by its name, summed up since the agent process started. Use these figures for accounting. */
  modelUsage: Record<string, ModelUsage>;
  /** All tool calls of the turn that were denied. Rely on this list, not on `permission_denied` messages. */
  permission_denials: SDKPermissionDenial[];
  /** The number of queued turns. If it is above 0, another turn follows without further input. */
  queued_turn_count?: number;
  /** Why the turn ended. Absent if a slash command answered the prompt without the model. */
  terminal_reason?: TerminalReason;
  /** The number of this result, counted from 0 since the agent process started. A gap means that a result was lost. */
  result_index?: number;
  /** When the login expires, in ISO 8601. Absent if the time is not known. */
  credential_expires_at?: string;
  fast_mode_state?: FastModeState;
  /** Why fast mode is not available. Absent if nothing prevents it. */
  fast_mode_disabled_reason?: FastModeDisabledReason;
  /** Who sent the prompt of the turn. If absent, the sender is unknown. */
  origin?: SDKMessageOrigin;
  /** The `uuid` of the prompt that the turn answers. Present only on the first reply and on the result of the turn, and only if the prompt has a `uuid`. */
  user_message_uuid?: string;
  /** The `uuid`s of all prompts that have been part of the turn so far, in order, at most 64. Present whenever `user_message_uuid` is present, and includes that `uuid`. */
  user_message_uuids?: string[];
  /** Why the turn was resumed. Present only if the turn continues an earlier turn that a worker restart cut off. The value is `interrupted_turn`, unless the agent was given a different reason. */
  resume_reason?: string;
  safety_stops?: number;
  /** The `message.id` of each reply that began during the turn. */
  begun_message_ids?: string[];
  /** How many subagents were requested, refused and started, and how they ended. */
  subagent_stats?: Record<string, unknown>;
  /** Like `modelUsage`, but summed up since the previous result. */
  model_usage_since_last_result?: Record<string, ModelUsage>;
  /** Milliseconds from the start of the turn to the first token. May be greater than `ttft_stream_ms` if the reply is streamed. */
  ttft_ms?: number;
  /** Milliseconds from the start of the turn to the first stream event of the reply. */
  ttft_stream_ms?: number;
  /** Milliseconds from the start of the turn until the request to the model API was sent. */
  time_to_request_ms?: number;
  /** The slash command that answered the prompt without the model, such as `clear`. */
  local_command?: string;
  /** When the request to the model API was sent, in milliseconds since 1970. */
  request_sent_wall_ms?: number;
  /** Milliseconds from the start of the turn to the first content of the reply. */
  first_content_frame_ms?: number;
  /** Milliseconds until the agent sent the first stream event of the turn to the session's server with POST. Present only in remote sessions. */
  first_stream_post_ms?: number;
  /** Milliseconds until the server had answered the POST with the first stream event of the turn. Present only in remote sessions. */
  first_stream_post_ack_ms?: number;
  /** Milliseconds that the first stream event of the turn waited before it was sent with POST. Present only in remote sessions. */
  first_stream_post_queue_wait_ms?: number;
  /** What delayed the POST with the first stream event of the turn. Present only in remote sessions. */
  first_stream_post_queued_behind?: 'durable_post' | 'ephemeral_post' | 'retry_backoff' | 'hold' | 'none';
  /** When the first stream event of the turn was sent with POST, in milliseconds since 1970. Present only in remote sessions. */
  first_stream_post_wall_ms?: number;
  /** Milliseconds until the agent sent the first text of the turn to the session's server with POST. Present only in remote sessions. */
  first_text_post_ms?: number;
  /** Milliseconds that the first text of the turn waited before it was sent with POST. Present only in remote sessions. */
  first_text_post_queue_wait_ms?: number;
  /** What delayed the POST with the first text of the turn. Present only in remote sessions. */
  first_text_post_queued_behind?: 'durable_post' | 'ephemeral_post' | 'retry_backoff' | 'hold' | 'none';
  /** When the first text of the turn was sent with POST, in milliseconds since 1970. Present only in remote sessions. */
  first_text_post_wall_ms?: number;
  /** Like `time_to_request_ms`, but counted from the start of the process. */
  time_to_request_from_spawn_ms?: number;
  /** Whether the process had been started in advance, before it was needed. */
  warm_spare_claimed?: boolean;
  /** The origin of the clock that measured the times of this result. */
  time_origin_ms?: number;
  /** True if the turn ended with an error, for example an error of the model API. In this case, `result` contains the text of the error. */
  is_error: boolean;
  /** The HTTP status of the failed call to the model API, such as 429. `null` or absent if no call failed. */
  api_error_status?: number | null;
  /** The model's last text, or the text of the error if `is_error` is `true`. */
  result: string;
  /** The stop reason of the last reply, or a reason that the agent chose, such as `tool_deferred`. `null` if the model did not reply. */
  stop_reason: string | null;
  /** The answer as a value that satisfies the host's JSON Schema. Absent if the host gave no schema. */
  structured_output?: unknown;
  /** The tool call that a hook deferred. Present only if `terminal_reason` is `tool_deferred`. */
  deferred_tool_use?: SDKDeferredToolUse;
  /** How the call to the model API failed, such as `connection_failed`. */
  api_error?: string;
  /** The kind of failure, as named by the model API, such as `invalid_request_error`. */
  api_error_type?: string;
  first_request_input_tokens?: number;
  first_request_cache_read_input_tokens?: number;
  uuid: UUID;
  session_id: string;
};

/** Whether the session is running, is waiting for a person, or is idle. The state `idle` is sent after the result of the turn. */
export type SDKSessionStateChangedMessage = {
  type: 'system';
  subtype: 'session_state_changed';
  state: 'idle' | 'running' | 'requires_action';
  /** True if the message is meant only for the host's library, which does not pass it on to the host program. */
  sdk_host_only?: boolean;
  uuid: UUID;
  session_id: string;
};

/** The title of the session has changed. Seen on the wire, not declared by the published SDK. */
export type SDKSessionTitleChangedMessage = {
  type: 'system';
  subtype: 'session_title_changed';
  title: string;
  uuid: UUID;
  session_id: string;
};

/** The disk was full, so parts of the session were not saved. */
export type SDKSessionWritesLostMessage = {
  type: 'system';
  subtype: 'session_writes_lost';
  /** The error code of the operating system: `ENOSPC` for a full disk, `EDQUOT` for an exhausted quota. */
  error_code: 'ENOSPC' | 'EDQUOT';
  lost: ('transcript' | 'global_config')[];
  transcript_session_ids?: string[];
  uuid: UUID;
  session_id: string;
};

/** An error in a settings file. */
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
  | 'initialize_fields_not_delivered'
  | 'sideload_flags_disabled';

/** What the agent is currently doing. `null` if the host should display nothing. */
export type SDKStatus = 'compacting' | 'requesting' | null;

/** What the agent is currently doing, or a change of its permission mode. */
export type SDKStatusMessage = {
  type: 'system';
  subtype: 'status';
  /** What the agent is currently doing. Agents send `requesting` only if the host requested stream events. */
  status: SDKStatus;
  /** The new permission mode. Absent if the mode has not changed. */
  permissionMode?: PermissionMode;
  /** The outcome of a compaction. Present only after a compaction has ended. */
  compact_result?: 'success' | 'failed';
  /** Why a compaction failed, as a code such as `too_few_groups`. */
  compact_error?: string;
  compact_output_chars?: number;
  /** The `uuid`s of the prompts that the turn answers. */
  user_message_uuids?: string[];
  uuid: UUID;
  session_id: string;
};

/** The configuration of the agent: its model, tools, servers and modes. Sent at the start of every turn; the latest message applies. */
export type SDKSystemMessage = {
  type: 'system';
  subtype: 'init';
  /** The names of the available kinds of subagents. */
  agents?: string[];
  apiKeySource: ApiKeySource;
  /** The beta headers that the agent sends with requests to the model API. */
  betas?: string[];
  /** The version of the agent. */
  claude_code_version: string;
  /** The working directory. */
  cwd: string;
  /** The names of all tools. MCP tools are named `mcp__SERVER__TOOL`. The tool that starts subagents is named `Task`. */
  tools: string[];
  mcp_servers: {
    name: string;
    /** The state of the connection, such as `connected` or `failed`. */
    status: string;
    /** Where the server comes from, such as `sdk` for a server inside the host program. */
    source?: string;
  }[];
  /** The full name of the model in use, even if the host chose the model by an alias. */
  model: string;
  permissionMode: PermissionMode;
  /** The names of all slash commands, without the slash. */
  slash_commands: string[];
  /** The names of the slash commands that are meant for a terminal. */
  terminal_slash_commands?: string[];
  output_style: string;
  skills: string[];
  plugins: {
    name: string;
    /** The folder of the plugin. `builtin` for a plugin that is part of the agent. */
    path: string;
    version?: string;
    source?: string;
  }[];
  /** The errors from loading plugins. Absent if no error occurred. */
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
  /** Why fast mode is not available. Absent if nothing prevents it. */
  fast_mode_disabled_reason?: FastModeDisabledReason;
  /** The effort level for the next message. `null` if the agent does not request a level. Present only in remote sessions. */
  effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | null;
  view_mode?: 'focus' | 'default';
  /** The names of features that this agent supports, such as `interrupt_receipt_v1`. Check for these names, not for the version of the agent. */
  capabilities?: string[];
  analytics_disabled?: boolean;
  product_feedback_disabled?: boolean;
  /** The folders in which the agent stores its memory, by kind. */
  memory_paths?: Record<string, unknown>;
  original_cwd?: string;
  additional_directories?: string[];
  messaging_socket_path?: string;
  per_turn_effort_active?: boolean;
  /** Whether the agent runs shell commands in its sandbox. `unknown` if the agent does not know. */
  sandbox_enabled?: boolean | 'unknown';
  served_by_anthropic?: boolean;
  ultrathink_available?: boolean;
  ultrathink_typed_raises?: boolean;
  /** The `uuid`s of the prompts that the turn answers. */
  user_message_uuids?: string[];
  uuid: UUID;
  session_id: string;
};

/** A task ended. */
export type SDKTaskNotificationMessage = {
  type: 'system';
  subtype: 'task_notification';
  /** The id of the task, the same in all messages about the task. The `task_id` of a subagent is also its `agent_id`. */
  task_id: string;
  /** The id of one run of the task. A resumed task keeps its `task_id` and gets a new `run_id`, which sorts after all earlier run ids of the task. */
  run_id?: string;
  /** The id of the tool call that the task belongs to. */
  tool_use_id?: string;
  /** How the task ended. If the status is `stopped` in this message, it is `killed` in the `task_updated` of the same task. */
  status: 'completed' | 'failed' | 'stopped';
  /** Why the task ended. Present only if a restart of the worker ended the task. */
  reason?: 'worker_restart';
  /** The path of the file with the output of the task. Empty if the task has no such file. */
  output_file: string;
  /** The outcome of the task, in words. */
  summary: string;
  summary_is_report?: boolean;
  usage?: {
    total_tokens: number;
    tool_uses: number;
    duration_ms: number;
  };
  /** The files that a background call to an MCP tool returned, at most 50. */
  resource_links?: SDKMcpResourceLink[];
  /** True if the task should not be displayed within the conversation. */
  skip_transcript?: boolean;
  /** True if the task does not count as activity. Do not display the session as busy because of this task. */
  ambient?: boolean;
  uuid: UUID;
  session_id: string;
};

/** The progress of a task. */
export type SDKTaskProgressMessage = {
  type: 'system';
  subtype: 'task_progress';
  /** The id of the task, the same in all messages about the task. The `task_id` of a subagent is also its `agent_id`. */
  task_id: string;
  /** The id of one run of the task. A resumed task keeps its `task_id` and gets a new `run_id`, which sorts after all earlier run ids of the task. */
  run_id?: string;
  /** The id of the tool call that the task belongs to. */
  tool_use_id?: string;
  /** What the task is doing now. */
  description: string;
  /** The kind of the subagent, such as `general-purpose`. */
  subagent_type?: string;
  usage: {
    total_tokens: number;
    tool_uses: number;
    duration_ms: number;
  };
  last_tool_name?: string;
  /** One line about the progress of the task, for display. */
  summary?: string;
  uuid: UUID;
  session_id: string;
};

/** A new task was registered: a subagent, a background shell, a monitor or a workflow. */
export type SDKTaskStartedMessage = {
  type: 'system';
  subtype: 'task_started';
  /** The id of the task, the same in all messages about the task. The `task_id` of a subagent is also its `agent_id`. */
  task_id: string;
  /** The id of one run of the task. A resumed task keeps its `task_id` and gets a new `run_id`, which sorts after all earlier run ids of the task. */
  run_id?: string;
  /** The id of the tool call that the task belongs to. */
  tool_use_id?: string;
  description: string;
  /** The kind of the subagent, such as `general-purpose`. */
  subagent_type?: string;
  /** True if the task has been running in the background from the start. */
  is_backgrounded?: boolean;
  /** The depth of the subagent. The depth is 1 if the main conversation started the subagent, 2 if a subagent of depth 1 started it, and so on. */
  spawn_depth?: number;
  /** The `task_id` of the subagent that started this task. */
  parent_task_id?: string;
  /** The kind of the task, such as `local_agent`, `local_bash`, `local_workflow` or `mcp_task`. New kinds may be added. */
  task_type?: string;
  /** The name of the workflow. Present only if the task is a workflow. */
  workflow_name?: string;
  /** The instructions that the task was given for this run. */
  prompt?: string;
  /** True if the task should not be displayed within the conversation. */
  skip_transcript?: boolean;
  /** True if the task does not count as activity. Do not display the session as busy because of this task. */
  ambient?: boolean;
  uuid: UUID;
  session_id: string;
};

/** Some members of a task have changed. This message may be the only report that a task has ended. */
export type SDKTaskUpdatedMessage = {
  type: 'system';
  subtype: 'task_updated';
  /** The id of the task, the same in all messages about the task. The `task_id` of a subagent is also its `agent_id`. */
  task_id: string;
  /** The id of one run of the task. A resumed task keeps its `task_id` and gets a new `run_id`, which sorts after all earlier run ids of the task. */
  run_id?: string;
  patch: {
    /** The new status of the task. If the status is `killed` in this message, it is `stopped` in the `task_notification` of the same task. */
    status?: 'pending' | 'running' | 'completed' | 'failed' | 'killed' | 'paused';
    description?: string;
    /** When the task ended, in milliseconds since 1970. */
    end_time?: number;
    total_paused_ms?: number;
    error?: string;
    is_backgrounded?: boolean;
  };
  uuid: UUID;
  session_id: string;
};

/** How much the model has thought so far. Sent while the text of the thinking is withheld. */
export type SDKThinkingTokensMessage = {
  type: 'system';
  subtype: 'thinking_tokens';
  /** The estimated number of tokens in the thinking block so far. */
  estimated_tokens: number;
  /** The increase of the estimate since the previous message. */
  estimated_tokens_delta: number;
  /** The `uuid` of the prompt that the turn answers. */
  user_message_uuid?: string;
  uuid: UUID;
  session_id: string;
};

/** A tool is still running. Also sent as a heartbeat while a hook of the host runs. */
export type SDKToolProgressMessage = {
  type: 'tool_progress';
  /** The id of the tool call. In a heartbeat that is sent while a hook runs, the id does not belong to any call. */
  tool_use_id: string;
  tool_name: string;
  /** The id of the tool call that the subagent works for, or of the tool call whose hook is running. `null` in the main conversation. */
  parent_tool_use_id: string | null;
  elapsed_time_seconds: number;
  /** The id of the task, if the tool runs as a task. */
  task_id?: string;
  /** True if the message only shows that the agent is alive, for example while a hook of the host runs. */
  heartbeat?: boolean;
  /** The kind of the subagent, such as `general-purpose`. */
  subagent_type?: string;
  /** Present while a subagent waits to retry a failed call to the model API. */
  subagent_retry?: {
    /** The id of the subagent that waits for the retry. */
    agent_id: string;
    attempt: number;
    max_retries: number;
    /** Milliseconds from the failure to the retry. */
    retry_delay_ms: number;
    /** The HTTP status of the failure. `null` if no response arrived. */
    error_status: number | null;
    error_category: string;
  };
  uuid: UUID;
  session_id: string;
};

/** A summary of earlier tool calls. */
export type SDKToolUseSummaryMessage = {
  type: 'tool_use_summary';
  summary: string;
  /** The ids of the tool calls that the summary covers. */
  preceding_tool_use_ids: string[];
  uuid: UUID;
  session_id: string;
};

/** Entries to append to the host's session store. This message has neither `uuid` nor `session_id`. Seen on the wire, not declared by the published SDK. */
export type SDKTranscriptMirrorMessage = {
  type: 'transcript_mirror';
  /** The path of the session file. Hosts derive the key in their session store from this path. */
  filePath: string;
  /** The entries that the agent appends to the session file, in order. */
  entries: SessionStoreEntry[];
};

/** Data that a user interface displays is out of date. Seen on the wire, not declared by the published SDK. */
export type SDKUiInvalidateMessage = {
  type: 'system';
  subtype: 'ui_invalidate';
  event: string;
  uuid: UUID;
  session_id: string;
};

/** Environment variables that the agent must set and use from now on. Seen on the wire, not declared by the published SDK. */
export type SDKUpdateEnvironmentVariablesMessage = {
  type: 'update_environment_variables';
  /** The new value of each variable, by the name of the variable. The published agent accepts only a few names, and silently ignores all others. */
  variables: Record<string, string>;
};

/** The cost of the session, and how much of the plan's limits is used. */
export type SDKUsageReport = {
  session: {
    total_cost_usd: number;
    /** Milliseconds spent in calls to the model API. */
    total_api_duration_ms: number;
    total_duration_ms: number;
    total_lines_added: number;
    total_lines_removed: number;
    /** The usage of each model, by its name. */
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

/** A message from a host is a prompt. A message from an agent is a tool result, or a text that the agent itself wrote. */
export type SDKUserMessage = {
  type: 'user';
  message: MessageParam;
  /** The id of the tool call that the subagent works for. `null` in a prompt and in the main conversation. */
  parent_tool_use_id: string | null;
  /** True if the text was not typed by a person, for example if a hook wrote it. */
  isSynthetic?: boolean;
  /** The complete output of the tool, which a host may display. It is a string, or an object whose shape depends on the tool. */
  tool_use_result?: unknown;
  /** When the prompt runs. `now` aborts the running turn and runs this prompt next. Otherwise, the prompt runs after the prompts that are already queued. */
  priority?: 'now' | 'next' | 'later';
  /** Who wrote the text. If absent, the writer is unknown. An ordinary host may only set `human`. */
  origin?: SDKMessageOrigin;
  /** If false, the text is added to the conversation without running a turn. The agent confirms this with a result whose `num_turns` is 0. */
  shouldQuery?: boolean;
  /** When the message was made, in ISO 8601. Display this time, but do not sort messages by it. */
  timestamp?: string;
  /** True if the agent must use the text literally, without expanding `@path` and without running slash commands. */
  client_composed?: true;
  tool_result_meta?: ToolResultMeta[];
  /** The id of the message. The host chooses the id of a prompt. The agent refers to the prompt by this id, and does not run a second prompt with the same id. */
  uuid?: UUID;
  /** The session of the message. In a prompt, this member has no effect, and hosts send an empty string or leave the member out. */
  session_id?: string;
  /** Pasted texts and blocks, which the agent appends to the typed text. If there are more than 1000, the agent ignores all of them. */
  pasted_content?: PromptContent[];
  /** The pasted texts that `message` contains. The agent uses only the first 100. */
  inline_pastes?: string[];
  /** The id of the subagent that made the message, which is also the `task_id` of its task. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent, such as `general-purpose`. */
  subagent_type?: string;
  /** The description of the task given to the subagent. */
  task_description?: string;
  /** Whether the message is an echo. If an agent sends the value `true`, the message is an `SDKUserMessageReplay`. */
  isReplay?: boolean;
};

/** The echo of a prompt that the agent has accepted. */
export type SDKUserMessageReplay = {
  type: 'user';
  message: MessageParam;
  /** The id of the tool call that the subagent works for. `null` in the main conversation. */
  parent_tool_use_id: string | null;
  /** True if the text was not typed by a person, for example if a hook wrote it. */
  isSynthetic?: boolean;
  /** The complete output of the tool, which a host may display. It is a string, or an object whose shape depends on the tool. */
  tool_use_result?: unknown;
  /** When the prompt runs. `now` aborts the running turn and runs this prompt next. Otherwise, the prompt runs after the prompts that are already queued. */
  priority?: 'now' | 'next' | 'later';
  /** Who wrote the text. If absent, the writer is unknown. An ordinary host may only set `human`. */
  origin?: SDKMessageOrigin;
  /** If false, the text is added to the conversation without running a turn. The agent confirms this with a result whose `num_turns` is 0. */
  shouldQuery?: boolean;
  /** When the message was made, in ISO 8601. Display this time, but do not sort messages by it. */
  timestamp?: string;
  /** True if the agent must use the text literally, without expanding `@path` and without running slash commands. */
  client_composed?: true;
  tool_result_meta?: ToolResultMeta[];
  /** Marks the message as the echo of a prompt. */
  isReplay: true;
  /** The attached files, as a remote session has resolved them. */
  file_attachments?: unknown[];
  uuid: UUID;
  session_id: string;
};

/** A remote worker is shutting down in an orderly way. A worker may also end without sending this message. */
export type SDKWorkerShuttingDownMessage = {
  type: 'system';
  subtype: 'worker_shutting_down';
  /** Why the worker shuts down, as a code in `snake_case`. */
  reason: string;
  uuid: UUID;
  session_id: string;
};

/** A plugin that the host wants the agent to load. */
export type SdkPluginConfig = {
  type: 'local';
  /** The folder of the plugin. */
  path: string;
  /** If true, the MCP servers of the plugin are ignored. */
  skipMcpDiscovery?: boolean;
};

/** A passage found by a search, which the model may cite. */
export type SearchResultBlock = {
  type: 'search_result';
  /** Where the passage was found, such as a URL. */
  source: string;
  title: string;
  /** The passage, as text blocks. */
  content: unknown[];
};

/** The output of a tool that the model API ran itself. */
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
  /** The output of the tool, or an object that describes its failure. */
  content: unknown;
};

/** A call to a tool that the model API ran itself. */
export type ServerToolUseBlock = {
  type: 'server_tool_use';
  /** The id of the call. The result of the call contains this id as `tool_use_id`. */
  id: string;
  name: string;
  /** The input as the model wrote it. It is usually an object, but do not rely on that. */
  input: unknown;
  /** What made the call: the model itself, or code that the model API ran for the model. */
  caller?: unknown;
  toolset_name?: string | null;
};

/** A prompt that runs on a schedule. */
export type SessionCronSummary = {
  id: string;
  schedule: string;
  /** Whether the prompt runs repeatedly. If false, it runs once. */
  recurring: boolean;
  prompt: string;
};

/** A session ends. */
export type SessionEndHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  /** Why the session ended. The matchers of hooks are compared with this value. */
  reason: ExitReason;
  hook_event_name: 'SessionEnd';
};

/** A session starts, is resumed, or continues after `/clear` or a compaction. */
export type SessionStartHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The agent chosen with `--agent`. Absent without this flag. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  /** Whether the session is new, is resumed, is a copy (`fork`), or continues after `/clear` or a compaction. The matchers of hooks are compared with this value. */
  source: 'startup' | 'resume' | 'clear' | 'compact' | 'fork';
  model?: string;
  /** The title of the session. Absent if the session has no title. */
  session_title?: string;
  seconds_since_last_response?: number;
  /** How many tokens of context the session starts with. */
  context_tokens?: number;
  /** Whether the prompt cache has probably lost the conversation. */
  prompt_cache_likely_expired?: boolean;
  /** The estimated cost of writing the conversation to the prompt cache again, in US dollars. */
  estimated_cache_write_usd?: number;
  hook_event_name: 'SessionStart';
};

/** The members that are specific to the answers of `SessionStart` hooks. */
export type SessionStartHookSpecificOutput = {
  hookEventName: 'SessionStart';
  /** Text for the model, which is added at the start of the conversation. */
  additionalContext?: string;
  initialUserMessage?: string;
  /** A title for the session. */
  sessionTitle?: string;
  /** Absolute paths to watch. When one of these files changes, the agent calls the `FileChanged` hooks. */
  watchPaths?: string[];
  reloadSkills?: boolean;
};

/** One entry of a transcript file, passed on unchanged. */
export type SessionStoreEntry = {
  /** The kind of the entry, such as `user`, `assistant` or `attachment`. */
  type: string;
  /** The id of the entry. A later entry uses this id to name the entry that it follows. Entries that are only used for bookkeeping have no id. */
  uuid?: string;
  /** When the entry was made, in ISO 8601. */
  timestamp?: string;
};

/** The agent is being set up, before a session begins. */
export type SetupHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The flag that requested the setup: `--init` or `--maintenance`. The matchers of hooks are compared with this value. */
  trigger: 'init' | 'maintenance';
  hook_event_name: 'Setup';
};

/** The members that are specific to the answers of `Setup` hooks. */
export type SetupHookSpecificOutput = {
  hookEventName: 'Setup';
  /** Text for the model, which is added at the start of the conversation. */
  additionalContext?: string;
};

/** A slash command that can be typed in a prompt. */
export type SlashCommand = {
  /** The name of the command, without the leading slash. */
  name: string;
  description: string;
  /** A hint about the arguments of the command, for display. May be empty. */
  argumentHint: string;
  /** Other names of the command. */
  aliases?: string[];
  /** True if the command is part of the agent. */
  builtin?: boolean;
};

/** A turn ended with an error of the model API. */
export type StopFailureHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The kind of the error. The matchers of hooks are compared with this value. */
  error: SDKAssistantMessageError;
  /** Details of the error, such as `429 Too Many Requests`. */
  error_details?: string;
  /** The error as the conversation shows it. In other hooks, this member contains the model's last reply. */
  last_assistant_message?: string;
  hook_event_name: 'StopFailure';
};

/** The agent is about to end its turn. */
export type StopHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  /** True if the turn continues only because a `Stop` hook prevented it from ending. A hook that ignores this member and always blocks keeps the turn running forever. */
  stop_hook_active: boolean;
  /** The text of the last reply. */
  last_assistant_message?: string;
  background_tasks?: BackgroundTaskSummary[];
  session_crons?: SessionCronSummary[];
  hook_event_name: 'Stop';
};

/** The members that are specific to the answers of `Stop` hooks. */
export type StopHookSpecificOutput = {
  hookEventName: 'Stop';
  /** Text for the model. The turn then continues with this text. */
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

/** One event of a streamed reply from the model API. */
export type StreamEvent =
  | {
      type: 'message_start';
      /** The reply at its start, without content, and with an initial count of its tokens. */
      message: ApiMessage;
    }
  | {
      type: 'content_block_start';
      /** The position of the block in the reply, counted from 0. All events of one block have the same index. */
      index: number;
      /** The block in its initial form. The following deltas add the remaining content. */
      content_block: ContentBlock;
    }
  | {
      type: 'content_block_delta';
      /** The position of the block in the reply, counted from 0. All events of one block have the same index. */
      index: number;
      delta: StreamEventDelta;
    }
  | {
      type: 'content_block_stop';
      /** The position of the block in the reply, counted from 0. All events of one block have the same index. */
      index: number;
    }
  | {
      type: 'message_delta';
      delta: {
        stop_reason: StopReason | null;
        stop_sequence: string | null;
        /** Details of a refusal, in the format of the model API. */
        stop_details?: unknown;
        /** The container in which the model API ran code for this reply. */
        container?: unknown;
      };
      usage: ApiUsageDelta;
      /** How the model API changed the context of the request to keep it small. */
      context_management?: unknown;
    }
  | {
      type: 'message_stop';
    };

/** An addition to a content block. */
export type StreamEventDelta =
  | {
      type: 'text_delta';
      text: string;
    }
  | {
      type: 'input_json_delta';
      /** A piece of the input of a tool call. All pieces of a block, joined together, are the input as JSON. */
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

/** A subagent starts. */
export type SubagentStartHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent, which is also the `task_id` of its task. */
  agent_id: string;
  /** The kind of the subagent, such as `Explore`. The matchers of hooks are compared with this value. */
  agent_type: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  hook_event_name: 'SubagentStart';
};

/** The members that are specific to the answers of `SubagentStart` hooks. */
export type SubagentStartHookSpecificOutput = {
  hookEventName: 'SubagentStart';
  /** Text for the subagent, which is added at the start of its conversation. */
  additionalContext?: string;
};

/** A subagent is about to end. */
export type SubagentStopHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent, which is also the `task_id` of its task. */
  agent_id: string;
  /** The kind of the subagent, such as `Explore`. The matchers of hooks are compared with this value. */
  agent_type: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  /** True if the subagent continues only because a `SubagentStop` hook prevented it from ending. */
  stop_hook_active: boolean;
  /** The path of the subagent's transcript. `transcript_path` is the path of the session's transcript. */
  agent_transcript_path: string;
  /** The text of the subagent's last reply. */
  last_assistant_message?: string;
  background_tasks?: BackgroundTaskSummary[];
  session_crons?: SessionCronSummary[];
  hook_event_name: 'SubagentStop';
};

/** The members that are specific to the answers of `SubagentStop` hooks. */
export type SubagentStopHookSpecificOutput = {
  hookEventName: 'SubagentStop';
  additionalContext?: string;
};

/** The decision of a hook. An empty object means that the hook makes no decision. */
export type SyncHookJSONOutput = {
  async?: false;
  /** If false, the turn ends, whatever the other members contain. Default true. */
  continue?: boolean;
  /** If true, the output of the hook is not written to the debug log. */
  suppressOutput?: boolean;
  /** The text for the user if `continue` is `false`. */
  stopReason?: string;
  /** The decision of the hook. `block` forbids the action that the hook was called for. For tool calls, `approve` and `block` are the older form of `permissionDecision`. */
  decision?: 'approve' | 'block';
  /** A warning for the user. */
  systemMessage?: string;
  terminalSequence?: string;
  /** Why the action is blocked. The event determines whether the user or the model reads this text. */
  reason?: string;
  /** The members that depend on the event. `hookEventName` names the event. */
  hookSpecificOutput?: HookSpecificOutput;
};

/** A task is about to be completed. */
export type TaskCompletedHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  task_id: string;
  /** The title of the task. */
  task_subject: string;
  task_description?: string;
  /** Deprecated. */
  team_name?: string;
  /** The teammate that completes the task, if a teammate completes it. */
  teammate_name?: string;
  hook_event_name: 'TaskCompleted';
};

/** A task is about to be created. */
export type TaskCreatedHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  task_id: string;
  /** The title of the task. */
  task_subject: string;
  task_description?: string;
  /** Deprecated. */
  team_name?: string;
  /** The teammate that creates the task, if a teammate creates it. */
  teammate_name?: string;
  hook_event_name: 'TaskCreated';
};

/** A teammate has nothing to do. */
export type TeammateIdleHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  teammate_name: string;
  /** Deprecated. */
  team_name: string;
  hook_event_name: 'TeammateIdle';
};

/** Why the turn ended. */
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

/** Text that is written by the model, is part of a prompt, or is returned by a tool. */
export type TextBlock = {
  type: 'text';
  text: string;
  /** The passages that the text cites, in the format of the model API. */
  citations?: unknown[] | null;
};

/** The model's thinking. Send the block back to the model unchanged, because the model API checks its signature. */
export type ThinkingBlock = {
  type: 'thinking';
  thinking: string;
  signature: string;
};

/** A tool that was found by a search for tools. */
export type ToolReferenceBlock = {
  type: 'tool_reference';
  tool_name: string;
};

/** The output of a tool, for the model to read. */
export type ToolResultBlock = {
  type: 'tool_result';
  tool_use_id: string;
  content?:
    | string
    | (TextBlock | ImageBlock | DocumentBlock | SearchResultBlock | ToolReferenceBlock | BrowserStateBlock)[];
  /** True if the tool failed or was not allowed to run. May be absent after a success. */
  is_error?: boolean;
};

/** Why a tool ran or did not run. Seen on the wire, not declared by the published SDK. */
export type ToolResultMeta = {
  /** The `tool_use_id` of the tool result that this entry describes. */
  id: string;
  /** Why the tool did not run to completion: a permission rule, the user or the classifier refused the call, or the call was interrupted or cancelled. */
  non_execution_kind?:
    | 'permission-rule'
    | 'user-rejected'
    | 'automode-blocked'
    | 'automode-unavailable'
    | 'automode-parsing-error'
    | 'interrupted'
    | 'cancelled';
  permission_decision?: {
    decision: 'accept' | 'reject';
    /** Who decided: the configuration, a hook, or the user, either for this call only or permanently. */
    source: 'user_temporary' | 'user_permanent' | 'user_reject' | 'hook' | 'config';
    /** The basis of the decision, such as `rule` or `mode`. */
    reason_type?: string;
  };
};

/** A call to a tool that the agent runs. */
export type ToolUseBlock = {
  type: 'tool_use';
  /** The id of the call. The result of the call contains this id as `tool_use_id`. */
  id: string;
  name: string;
  /** The input as the model wrote it. It is usually an object, but do not rely on that. */
  input: unknown;
  /** What made the call: the model itself, or code that the model API ran for the model. */
  caller?: unknown;
  toolset_name?: string | null;
};

/** The outcome of a dialog. */
export type UserDialogResult =
  | {
      behavior: 'completed';
      /** The user's answer in the dialog. The shape of the answer depends on the kind of dialog. */
      result: unknown;
    }
  | {
      behavior: 'cancelled';
    };

/** The agent is about to expand a command into a prompt. */
export type UserPromptExpansionHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The kind of the command: `slash_command` for commands and skills, `mcp_prompt` for prompts of an MCP server. */
  expansion_type: 'slash_command' | 'mcp_prompt';
  /** The name of the command, without the slash. */
  command_name: string;
  /** The text after the name of the command. */
  command_args: string;
  /** Where the command comes from, such as `plugin`. */
  command_source?: string;
  /** The text that the user typed, unchanged. */
  prompt: string;
  hook_event_name: 'UserPromptExpansion';
};

/** The members that are specific to the answers of `UserPromptExpansion` hooks. */
export type UserPromptExpansionHookSpecificOutput = {
  hookEventName: 'UserPromptExpansion';
  /** Text for the model, which is added to the prompt. */
  additionalContext?: string;
  suppressOriginalPrompt?: boolean;
};

/** The agent is about to process a prompt. */
export type UserPromptSubmitHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  prompt: string;
  /** Who or what wrote the prompt. */
  source?: 'user' | 'sdk' | 'system' | 'loop_wakeup' | 'schedule_wakeup' | 'poll_event';
  /** The title of the session. Absent if the session has no title. */
  session_title?: string;
  hook_event_name: 'UserPromptSubmit';
};

/** The members that are specific to the answers of `UserPromptSubmit` hooks. */
export type UserPromptSubmitHookSpecificOutput = {
  hookEventName: 'UserPromptSubmit';
  /** Text for the model, which is added to the prompt. */
  additionalContext?: string;
  /** A new title for the session. */
  sessionTitle?: string;
  suppressOriginalPrompt?: boolean;
};

/** The agent needs a worktree. The hook creates the worktree and answers with its path. */
export type WorktreeCreateHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  /** A short name for the worktree, given by the user or generated. */
  name: string;
  hook_event_name: 'WorktreeCreate';
};

/** The members that are specific to the answers of `WorktreeCreate` hooks. */
export type WorktreeCreateHookSpecificOutput = {
  hookEventName: 'WorktreeCreate';
  /** The absolute path of the worktree that the hook created. */
  worktreePath: string;
};

/** A worktree is no longer needed. */
export type WorktreeRemoveHookInput = {
  session_id: string;
  /** The path of the transcript, a file that contains the conversation with one JSON object per line. */
  transcript_path: string;
  /** The working directory of the agent when the event happens. */
  cwd: string;
  /** The id of the prompt. All hooks that run because of this prompt get the same id. */
  prompt_id?: string;
  /** The permission mode of the agent when the event happens. Absent for some events. */
  permission_mode?: string;
  /** The id of the subagent in which the event happens. Absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent in which the event happens. In the main conversation, the agent chosen with `--agent`. Absent in the main conversation without `--agent`. */
  agent_type?: string;
  /** The effort level of the model, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The absolute path of the worktree. */
  worktree_path: string;
  hook_event_name: 'WorktreeRemove';
};

/** Every message of an agent, by `type` or `type/subtype`. The echo of a prompt (`user/replay`) has no subtype: its `isReplay` is true. */
export interface MessagesFromAgent {
  /** One completed content block of a model reply. All messages of one reply have the same `message.id`. */
  assistant: SDKAssistantMessage;
  /** A message from a host is a prompt. A message from an agent is a tool result, or a text that the agent itself wrote. */
  user: SDKUserMessage;
  /** The echo of a prompt that the agent has accepted. */
  'user/replay': SDKUserMessageReplay;
  /** One stream event from the model API, sent as soon as it arrives. */
  stream_event: SDKPartialAssistantMessage;
  /** The end of a turn that was not cut off. `is_error` says whether `result` is the model's answer or an error. */
  'result/success': SDKResultSuccess;
  /** The end of a turn that was cut off, because the turn was interrupted, failed, or exceeded a limit. */
  'result/error_during_execution': SDKResultError;
  /** The end of a turn that was cut off, because the turn was interrupted, failed, or exceeded a limit. */
  'result/error_max_turns': SDKResultError;
  /** The end of a turn that was cut off, because the turn was interrupted, failed, or exceeded a limit. */
  'result/error_max_budget_usd': SDKResultError;
  /** The end of a turn that was cut off, because the turn was interrupted, failed, or exceeded a limit. */
  'result/error_max_structured_output_retries': SDKResultError;
  /** The configuration of the agent: its model, tools, servers and modes. Sent at the start of every turn; the latest message applies. */
  'system/init': SDKSystemMessage;
  /** The history before this message was compacted. */
  'system/compact_boundary': SDKCompactBoundaryMessage;
  /** What the agent is currently doing, or a change of its permission mode. */
  'system/status': SDKStatusMessage;
  /** A call to the model API failed and will be retried. */
  'system/api_retry': SDKAPIRetryMessage;
  /** The progress of a control request that takes a long time. */
  'system/control_request_progress': SDKControlRequestProgressMessage;
  /** A model refused to answer, and the agent retried with another model. */
  'system/model_refusal_fallback': SDKModelRefusalFallbackMessage;
  /** A model refused to answer, and the agent did not try another model. */
  'system/model_refusal_no_fallback': SDKModelRefusalNoFallbackMessage;
  /** The output of a local slash command. */
  'system/local_command_output': SDKLocalCommandOutputMessage;
  /** A hook has started. */
  'system/hook_started': SDKHookStartedMessage;
  /** The output of a running hook so far. */
  'system/hook_progress': SDKHookProgressMessage;
  /** A hook has ended. */
  'system/hook_response': SDKHookResponseMessage;
  /** Plugins are being installed. */
  'system/plugin_install': SDKPluginInstallMessage;
  /** A task ended. */
  'system/task_notification': SDKTaskNotificationMessage;
  /** A new task was registered: a subagent, a background shell, a monitor or a workflow. */
  'system/task_started': SDKTaskStartedMessage;
  /** Some members of a task have changed. This message may be the only report that a task has ended. */
  'system/task_updated': SDKTaskUpdatedMessage;
  /** The progress of a task. */
  'system/task_progress': SDKTaskProgressMessage;
  /** The background tasks have changed. `tasks` is the complete new list. */
  'system/background_tasks_changed': SDKBackgroundTasksChangedMessage;
  /** How much the model has thought so far. Sent while the text of the thinking is withheld. */
  'system/thinking_tokens': SDKThinkingTokensMessage;
  /** Whether the session is running, is waiting for a person, or is idle. The state `idle` is sent after the result of the turn. */
  'system/session_state_changed': SDKSessionStateChangedMessage;
  /** A remote worker is shutting down in an orderly way. A worker may also end without sending this message. */
  'system/worker_shutting_down': SDKWorkerShuttingDownMessage;
  /** The slash commands have changed. `commands` is the complete new list. */
  'system/commands_changed': SDKCommandsChangedMessage;
  /** A text to show in the notification area of the user interface. */
  'system/notification': SDKNotificationMessage;
  /** Files were uploaded. */
  'system/files_persisted': SDKFilesPersistedEvent;
  /** Memories were added to the model's context. */
  'system/memory_recall': SDKMemoryRecallMessage;
  /** The user has completed the action that an MCP server requested on a web page. */
  'system/elicitation_complete': SDKElicitationCompleteMessage;
  /** A tool call was denied without asking the host. */
  'system/permission_denied': SDKPermissionDeniedMessage;
  /** The host's session store could not append entries. Host libraries create this message; agents never send it. */
  'system/mirror_error': SDKMirrorErrorMessage;
  /** A text to show in the transcript. */
  'system/informational': SDKInformationalMessage;
  /** The disk was full, so parts of the session were not saved. */
  'system/session_writes_lost': SDKSessionWritesLostMessage;
  /** A model could not be used, and another model replaced it. Seen on the wire, not declared by the published SDK. */
  'system/model_fallback': SDKModelFallbackMessage;
  /** The title of the session has changed. Seen on the wire, not declared by the published SDK. */
  'system/session_title_changed': SDKSessionTitleChangedMessage;
  /** Data that a user interface displays is out of date. Seen on the wire, not declared by the published SDK. */
  'system/ui_invalidate': SDKUiInvalidateMessage;
  /** A tool is still running. Also sent as a heartbeat while a hook of the host runs. */
  tool_progress: SDKToolProgressMessage;
  /** The progress of a login. */
  auth_status: SDKAuthStatusMessage;
  /** A summary of earlier tool calls. */
  tool_use_summary: SDKToolUseSummaryMessage;
  /** The state of the plan's limits has changed. */
  rate_limit_event: SDKRateLimitEvent;
  /** A suggestion for the user's next prompt. Sent after a result. */
  prompt_suggestion: SDKPromptSuggestionMessage;
  /** A new, empty conversation starts. Later messages have a new `session_id`, and all totals restart at zero. */
  conversation_reset: SDKConversationResetMessage;
  /** The goal that the agent is working towards. `value` is `null` after the goal was cleared. */
  active_goal: SDKActiveGoalMessage;
  /** Shows that the sender is alive. Receivers ignore this message. */
  keep_alive: SDKKeepAliveMessage;
  /** The new state of a prompt that has a `uuid`. Seen on the wire, not declared by the published SDK. */
  command_lifecycle: SDKCommandLifecycleMessage;
  /** Entries to append to the host's session store. This message has neither `uuid` nor `session_id`. Seen on the wire, not declared by the published SDK. */
  transcript_mirror: SDKTranscriptMirrorMessage;
  /** A request to the other side, on the same stream as the messages. Each side chooses ids for the requests that it sends. */
  control_request: SDKControlRequest;
  /** The answer to a control request. The id of the request is inside `response`. A message whose `subtype` is neither `success` nor `error` is not an answer. */
  control_response: SDKControlResponse;
  /** Cancels a request that the same side sent earlier. The other side does not answer this message, and need not answer the cancelled request. */
  control_cancel_request: SDKControlCancelRequest;
}

/** Every message of a host, by `type`. */
export interface MessagesFromHost {
  /** A message from a host is a prompt. A message from an agent is a tool result, or a text that the agent itself wrote. */
  user: SDKUserMessage;
  /** A request to the other side, on the same stream as the messages. Each side chooses ids for the requests that it sends. */
  control_request: SDKControlRequest;
  /** The answer to a control request. The id of the request is inside `response`. A message whose `subtype` is neither `success` nor `error` is not an answer. */
  control_response: SDKControlResponse;
  /** Cancels a request that the same side sent earlier. The other side does not answer this message, and need not answer the cancelled request. */
  control_cancel_request: SDKControlCancelRequest;
  /** Shows that the sender is alive. Receivers ignore this message. */
  keep_alive: SDKKeepAliveMessage;
  /** Environment variables that the agent must set and use from now on. Seen on the wire, not declared by the published SDK. */
  update_environment_variables: SDKUpdateEnvironmentVariablesMessage;
  /** A notification for an agent with the capability `queued_notifications`. The other members of this message are not known. */
  queued_notification: SDKQueuedNotificationMessage;
}

/** The body of each control request that is declared, by `subtype`. */
export interface ControlRequests {
  /** Opens the session, and informs the agent which features the host supports and requests. A later `initialize` replaces the members that it contains, and changes nothing else. */
  initialize: SDKControlInitializeRequest;
  /** Ends the running turn. With `cancel_queued`, also drops the queued prompts. */
  interrupt: SDKControlInterruptRequest;
  /** Gives the session a title. */
  rename_session: SDKControlRenameSessionRequest;
  /** Sets the accent colour of the session. */
  set_color: SDKControlSetColorRequest;
  /** Removes a prompt from the queue. */
  cancel_async_message: SDKControlCancelAsyncMessageRequest;
  /** Informs the agent whether any client reads the stream events. */
  set_has_subscribers: SDKControlSetHasSubscribersRequest;
  /** Asks for the cost of the session so far, as text. */
  get_session_cost: SDKControlGetSessionCostRequest;
  /** Asks for the version and the build of the agent. */
  get_binary_version: SDKControlGetBinaryVersionRequest;
  /** Chooses the model for the following turns. If `model` is `null`, `default` or absent, the choice is reset. */
  set_model: SDKControlSetModelRequest;
  /** Limits the model's thinking. `null` restores the default limit. */
  set_max_thinking_tokens: SDKControlSetMaxThinkingTokensRequest;
  /** Asks which models the host may choose. */
  list_models: SDKControlListModelsRequest;
  /** Asks whether the agent may call a tool. */
  can_use_tool: SDKControlPermissionRequest;
  /** Changes what the agent may do without asking for permission. */
  set_permission_mode: SDKControlSetPermissionModeRequest;
  /** Asks for the permission rules in effect. */
  list_permission_rules: SDKControlListPermissionRulesRequest;
  /** Calls a hook of the host, by the id that the host has registered for it. */
  hook_callback: SDKHookCallbackRequest;
  /** Asks for the list of all hooks. */
  get_hooks_listing: SDKControlGetHooksListingRequest;
  /** Contains an MCP message to or from an MCP server inside the host program. */
  mcp_message: SDKControlMcpMessageRequest;
  /** Asks for the state of all MCP servers. */
  mcp_status: SDKControlMcpStatusRequest;
  /** Calls a tool of an MCP server without involving the model. */
  mcp_call: SDKControlMcpCallRequest;
  /** Replaces the MCP servers that the host has added. */
  mcp_set_servers: SDKControlMcpSetServersRequest;
  /** Reconnects an MCP server. */
  mcp_reconnect: SDKControlMcpReconnectRequest;
  /** Enables or disables an MCP server. */
  mcp_toggle: SDKControlMcpToggleRequest;
  /** Reads a resource of an MCP server. */
  mcp_read_resource: SDKControlMcpReadResourceRequest;
  /** Asks for files that match the text the user is typing. */
  file_suggestions: SDKControlFileSuggestionsRequest;
  /** Reads a file, if the permission rules for reading allow it. */
  read_file: SDKControlReadFileRequest;
  /** Informs the agent that the host has read a file, so that the agent may edit it. */
  seed_read_state: SDKControlSeedReadStateRequest;
  /** Restores the files to their state before a prompt. */
  rewind_files: SDKControlRewindFilesRequest;
  /** Adds a directory below the working directory as a repository root. */
  register_repo_root: SDKControlRegisterRepoRootRequest;
  /** Reloads the plugins, and adds the plugins in `add_plugins`. */
  reload_plugins: SDKControlReloadPluginsRequest;
  /** Reloads the skills. */
  reload_skills: SDKControlReloadSkillsRequest;
  /** Reloads the output styles. */
  reload_output_styles: SDKControlReloadOutputStylesRequest;
  /** Stops a task. Also succeeds if the task has already ended. */
  stop_task: SDKControlStopTaskRequest;
  /** Moves running tasks to the background: all tasks, or the task of one tool call. */
  background_tasks: SDKControlBackgroundTasksRequest;
  /** Asks for the last part of a task's output. */
  get_task_output: SDKControlGetTaskOutputRequest;
  /** Changes the settings given on the command line, or adds to them. The value `null` clears a setting. */
  apply_flag_settings: SDKControlApplyFlagSettingsRequest;
  /** Asks for the settings in effect. */
  get_settings: SDKControlGetSettingsRequest;
  /** Writes one of the few settings that a host may change. */
  update_settings: SDKControlUpdateSettingsRequest;
  /** Asks how the context window is used. */
  get_context_usage: SDKControlGetContextUsageRequest;
  /** Asks how much of the account's limits is used. */
  get_usage: SDKControlGetUsageRequest;
  /** Asks the user a question from an MCP server. */
  elicitation: SDKControlElicitationRequest;
  /** Asks the host to show a dialog of a kind that the host announced in `initialize`. */
  request_user_dialog: SDKControlRequestUserDialogRequest;
}

/** The payload of the answer to each control request whose answer is known, by its `subtype`. */
export interface ControlAnswers {
  /** What the agent offers. Some members were seen on the wire but are not declared by the published SDK. */
  initialize: SDKControlInitializeResponse;
  /** The receipt of an interrupt: the prompts that are still queued, and the prompts that were dropped. Older agents send an empty receipt. */
  interrupt: SDKControlInterruptResponse;
  /** Whether the prompt was removed from the queue. */
  cancel_async_message: SDKControlCancelAsyncMessageResponse;
  /** The cost of the session, as text for people. */
  get_session_cost: SDKControlGetSessionCostResponse;
  /** The version and the build of the agent. */
  get_binary_version: SDKControlGetBinaryVersionResponse;
  /** The model that is used from now on. */
  set_model: SDKControlSetModelResponse;
  /** The models that the host may choose. */
  list_models: SDKControlListModelsResponse;
  /** The answer to a permission request. A value whose `behavior` is neither `allow` nor `deny` is not an answer. */
  can_use_tool: PermissionResult;
  /** The permission mode that applies from now on. */
  set_permission_mode: SDKControlSetPermissionModeResponse;
  /** The permission rules in effect. */
  list_permission_rules: SDKControlListPermissionRulesResponse;
  /** The answer of a hook. */
  hook_callback: HookJSONOutput;
  /** The hooks from all sources. */
  get_hooks_listing: SDKControlGetHooksListingResponse;
  /** The response to an MCP message. A host's response contains the answer of the MCP server. An agent's response is only an acknowledgement. */
  mcp_message: SDKControlMcpMessageResponse;
  /** The state of all MCP servers. */
  mcp_status: SDKControlMcpStatusResponse;
  /** The output of the tool. */
  mcp_call: SDKControlMcpCallResponse;
  /** The servers that were added, were removed, or could not be added. */
  mcp_set_servers: McpSetServersResult;
  /** The resource, as text or as base64. */
  mcp_read_resource: SDKControlMcpReadResourceResponse;
  /** The matching files. */
  file_suggestions: SDKControlFileSuggestionsResponse;
  /** The contents of the file. */
  read_file: SDKControlReadFileResponse;
  /** The files that were restored or, with `dry_run`, would be restored. */
  rewind_files: RewindFilesResult;
  /** The commands, subagents, plugins and MCP servers after the plugins were reloaded. */
  reload_plugins: SDKControlReloadPluginsResponse;
  /** All skills after they were reloaded. */
  reload_skills: SDKControlReloadSkillsResponse;
  /** All output styles after they were reloaded. */
  reload_output_styles: SDKControlReloadOutputStylesResponse;
  /** Whether a task was moved to the background. If `backgrounded` is absent, assume true. */
  background_tasks: SDKControlBackgroundTasksResponse;
  /** The last part of a task's output. */
  get_task_output: SDKControlGetTaskOutputResponse;
  /** The settings in effect, and their sources. */
  get_settings: SDKControlGetSettingsResponse;
  /** How the context window is used. */
  get_context_usage: SDKControlGetContextUsageResponse;
  /** How much of the account's limits is used. */
  get_usage: SDKControlGetUsageResponse;
  /** The user's answer to an MCP server. */
  elicitation: ElicitationResult;
  /** The outcome of a dialog. */
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
