// Generated from src/schemas by `pnpm --filter @proto/core generate`; do not edit.

/** An id as `crypto.randomUUID` gives it. */
export type UUID = `${string}-${string}-${string}-${string}-${string}`;

/** Who the agent is logged in as. */
export type AccountInfo = {
  email?: string;
  organization?: string;
  /** The plan of the account; absent without one, as with an API key. */
  subscriptionType?: string;
  /** Where the token of the login comes from; `none` where nobody is logged in. */
  tokenSource?: string;
  /** Where the API key comes from, such as the variable `ANTHROPIC_API_KEY`; absent without a key. */
  apiKeySource?: string;
  /** Whose service the model runs at: `firstParty` is the vendor's own, the others are clouds and gateways. */
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
  /** When to use the subagent, as the model is told. */
  description: string;
  /** The only tools that the subagent has; all of the session where it is absent. */
  tools?: string[];
  /** Tools that the subagent does not have, of those it would have otherwise. */
  disallowedTools?: string[];
  /** The system prompt of the subagent. */
  prompt: string;
  /** An alias or an id; `inherit`, or nothing, is the model of the session. */
  model?: string;
  mcpServers?: AgentMcpServerSpec[];
  criticalSystemReminder_EXPERIMENTAL?: string;
  /** Skills whose whole text the subagent is given at its beginning. */
  skills?: string[];
  initialPrompt?: string;
  /** How many turns the subagent may take before it is stopped. */
  maxTurns?: number;
  autoCompactWindow?: number;
  /** With true the subagent always runs in the background. */
  background?: boolean;
  omitClaudeMd?: boolean;
  /** Whose memory it reads and writes, which outlives the session; it has none where this is absent. */
  memory?: 'user' | 'project' | 'local';
  /** How hard the model of the subagent tries. */
  effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | number;
  permissionMode?: PermissionMode;
  observer?: string;
  observerMessage?: string;
};

/** A subagent that may be used. */
export type AgentInfo = {
  /** What the tool that starts subagents takes as their type. */
  name: string;
  /** When to use the subagent, as the model is told. */
  description: string;
  /** The model the subagent works with; `inherit` is that of the session. */
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
  /** The same in every message that carries a piece of one reply; a UUID where the agent made the message up. */
  id: string;
  type: 'message';
  role: 'assistant';
  /** The model that wrote the reply; `<synthetic>` where the agent made the message up. */
  model: string;
  /** In an `assistant` message one completed block; empty in a `message_start` event. */
  content: ContentBlock[];
  stop_reason: StopReason | null;
  /** The stop sequence at which the model stopped, if it stopped at one. */
  stop_sequence: string | null;
  usage: ApiUsage;
  /** What the model API tells of a refusal. */
  stop_details?: unknown;
  /** The container in which the model API ran code for this reply. */
  container?: unknown;
  /** What the model API did to the context of its request to keep it small. */
  context_management?: unknown;
  diagnostics?: unknown;
};

/** The tokens of one call of the model API. Not final while the reply is incomplete. */
export type ApiUsage = {
  /** Tokens of the input that were neither read from the prompt cache nor written to it. */
  input_tokens: number;
  /** Tokens that the model wrote, those of its thinking among them. */
  output_tokens: number;
  /** Tokens of the input that were written to the prompt cache. */
  cache_creation_input_tokens?: number | null;
  /** Tokens of the input that were read from the prompt cache. */
  cache_read_input_tokens?: number | null;
  /** The tokens written to the prompt cache, by how long it keeps them. */
  cache_creation?: {
    /** Tokens that the prompt cache keeps for five minutes. */
    ephemeral_5m_input_tokens: number;
    /** Tokens that the prompt cache keeps for one hour. */
    ephemeral_1h_input_tokens: number;
  } | null;
  /** How often tools ran that the model API runs itself. */
  server_tool_use?: {
    web_search_requests: number;
    web_fetch_requests: number;
  } | null;
  /** What the output tokens were spent on. */
  output_tokens_details?: {
    thinking_tokens: number;
  } | null;
  /** The service tier that took the request, such as `standard`, `priority` or `batch`. */
  service_tier?: string | null;
  /** The region of the world in which the model ran. */
  inference_geo?: string | null;
  /** The tokens of each round of the model, where the model API ran several for one call. */
  iterations?: unknown[] | null;
  /** The speed at which the model ran, such as `standard` or `fast`. */
  speed?: string | null;
  fallback_credit?: unknown;
};

/** The tokens so far, as a `message_delta` event tells them. */
export type ApiUsageDelta = {
  /** Tokens that the model wrote, those of its thinking among them. */
  output_tokens: number;
  /** Tokens of the input that were neither read from the prompt cache nor written to it. */
  input_tokens?: number | null;
  /** Tokens of the input that were written to the prompt cache. */
  cache_creation_input_tokens?: number | null;
  /** Tokens of the input that were read from the prompt cache. */
  cache_read_input_tokens?: number | null;
  /** How often tools ran that the model API runs itself. */
  server_tool_use?: {
    web_search_requests: number;
    web_fetch_requests: number;
  } | null;
  /** What the output tokens were spent on. */
  output_tokens_details?: {
    thinking_tokens: number;
  } | null;
  /** The tokens of each round of the model, where the model API ran several for one call. */
  iterations?: unknown[] | null;
  fallback_credit?: unknown;
};

/** The hook goes on by itself: what it was called for happens at once. */
export type AsyncHookJSONOutput = {
  async: true;
  /** How long the hook may go on, in ms. */
  asyncTimeout?: number;
};

/** A task that runs in the background. */
export type BackgroundTaskSummary = {
  /** The `task_id` that messages about the task have. */
  id: string;
  /** The kind of task, such as `local_bash` or `local_agent`. */
  type: string;
  status: string;
  description: string;
  /** The command line, for a task that is one. */
  command?: string;
  /** Which kind of subagent, for a task that is one. */
  agent_type?: string;
  /** The MCP server, for a task of one. */
  server?: string;
  /** The tool of that MCP server. */
  tool?: string;
  name?: string;
};

/** What the input of every hook has. */
export type BaseHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
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
  /** The summary as text; null where none could be made. */
  content?: string | null;
  /** For the model API alone; must go back to it unchanged. */
  encrypted_content?: string | null;
};

/** A file of settings or skills changed. */
export type ConfigChangeHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  /** Which kind of file; a matcher is compared with it. */
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
  /** The id of the request that this answers. */
  request_id: string;
  /** What went wrong, for people to read; a program goes by `error_code`. */
  error: string;
  /** What went wrong, for programs, such as `unsupported_request`; older agents and some hosts send none. */
  error_code?: string;
  pending_permission_requests?: SDKControlRequest[];
  pending_user_dialog_requests?: SDKControlRequest[];
  pending_elicitation_requests?: SDKControlRequest[];
};

/** A success. An acknowledgement may have no payload, or an empty one. */
export type ControlResponse = {
  subtype: 'success';
  /** The id of the request that this answers. */
  request_id: string;
  /** The payload, whose members depend on the request that is answered. */
  response?: Record<string, unknown>;
  pending_permission_requests?: SDKControlRequest[];
  pending_user_dialog_requests?: SDKControlRequest[];
  pending_elicitation_requests?: SDKControlRequest[];
};

/** The working directory changed. */
export type CwdChangedHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
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
  /** Absolute paths to watch for `FileChanged`, in place of those that hooks named before. */
  watchPaths?: string[];
};

/** A directory was added to those the agent may use. */
export type DirectoryAddedHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  directory: string;
  /** What added it: a command of the user, or the control request `register_repo_root`. */
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
        /** The text as it is, not in base64. */
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
        /** A file that was uploaded to the model API before. */
        file_id: string;
      };
  /** Told to the model, but never cited. */
  title?: string | null;
  /** More about the document, told to the model but never cited. */
  context?: string | null;
  citations?: {
    /** Whether the model may cite passages of the document. */
    enabled?: boolean;
  } | null;
};

/** A server asks the user something; the hook may answer for them. */
export type ElicitationHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The server that asks; a matcher is compared with it. */
  mcp_server_name: string;
  /** What the server wants to know, for the user to read. */
  message: string;
  /** `form`, the default, asks for fields to be filled in; `url` sends the user to a web page. */
  mode?: 'form' | 'url';
  /** The web page to open; with the mode `url` only. */
  url?: string;
  /** With the mode `url`: `elicitation_complete` names it when the server has what it wants. */
  elicitation_id?: string;
  /** The JSON Schema of the fields to fill in; with the mode `form` only. */
  requested_schema?: Record<string, unknown>;
  hook_event_name: 'Elicitation';
};

/** What a hook of `Elicitation` may answer beside the common members. */
export type ElicitationHookSpecificOutput = {
  hookEventName: 'Elicitation';
  /** The answer for the user, who is not asked then. */
  action?: 'accept' | 'decline' | 'cancel';
  /** The fields of the form by name, as `requested_schema` describes them; with `accept` only. */
  content?: Record<string, unknown>;
};

/** What the user said to a server. */
export type ElicitationResult = {
  /** `accept` comes with what the user has filled in, `decline` is a no, `cancel` no answer at all. */
  action: 'accept' | 'decline' | 'cancel';
  /** The fields of the form by name, as `requested_schema` describes them; with `accept` only. */
  content?: Record<string, unknown>;
};

/** The user answered a server; the hook may change the answer. */
export type ElicitationResultHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The server that asked; a matcher is compared with it. */
  mcp_server_name: string;
  elicitation_id?: string;
  mode?: 'form' | 'url';
  /** `accept` comes with what the user has filled in, `decline` is a no, `cancel` no answer at all. */
  action: 'accept' | 'decline' | 'cancel';
  /** The fields of the form by name, as `requested_schema` describes them; with `accept` only. */
  content?: Record<string, unknown>;
  hook_event_name: 'ElicitationResult';
};

/** What a hook of `ElicitationResult` may answer beside the common members. */
export type ElicitationResultHookSpecificOutput = {
  hookEventName: 'ElicitationResult';
  /** The answer in place of that of the user. */
  action?: 'accept' | 'decline' | 'cancel';
  /** The fields in place of those of the user; with `accept` only. */
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
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The absolute path of the file. */
  file_path: string;
  /** `unlink` says that the file was deleted. */
  event: 'change' | 'add' | 'unlink';
  hook_event_name: 'FileChanged';
};

/** What a hook of `FileChanged` may answer beside the common members. */
export type FileChangedHookSpecificOutput = {
  hookEventName: 'FileChanged';
  /** Absolute paths to watch for `FileChanged`, in place of those that hooks named before. */
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
        /** A file that was uploaded to the model API before. */
        file_id: string;
      };
};

/** A file of instructions was read. */
export type InstructionsLoadedHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The absolute path of the file. */
  file_path: string;
  /** Whose instructions these are: the user's, the project's, the user's for this project, or the organisation's. */
  memory_type: 'User' | 'Project' | 'Local' | 'Managed';
  /** Why the file was read; a matcher is compared with it. */
  load_reason: 'session_start' | 'nested_traversal' | 'path_glob_match' | 'include' | 'compact';
  /** Patterns of the paths that the file is about; with `path_glob_match` only. */
  globs?: string[];
  /** The file that made the agent read this one; absent at the start of a session. */
  trigger_file_path?: string;
  /** The file that includes this one; with `include` only. */
  parent_file_path?: string;
  hook_event_name: 'InstructionsLoaded';
};

/** A message of MCP, in either direction. One type for requests, notifications and answers: hosts exist that acknowledge a notification with a result that has no id. */
export type JSONRPCMessage = {
  jsonrpc: '2.0';
  /** Ties an answer to its request; absent in a notification. */
  id?: string | number | null;
  /** What a request asks or a notification tells; absent in an answer. */
  method?: string;
  params?: Record<string, unknown>;
  /** Makes the message the answer to a request that succeeded. */
  result?: Record<string, unknown>;
  /** Makes the message the answer to a request that failed. */
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
  /** How long a tool call may take, in ms; below 1000 is ignored, and without it the variable `MCP_TOOL_TIMEOUT` counts, else no limit. */
  timeout?: number;
};

/** A server behind streamable HTTP. */
export type McpHttpServerConfig = {
  type: 'http';
  url: string;
  headers?: Record<string, string>;
  tools?: McpServerToolPolicy[];
  /** How long a tool call may take, in ms; below 1000 is ignored, and without it the variable `MCP_TOOL_TIMEOUT` counts, else no limit. */
  timeout?: number;
  /** With true the tools are offered from the start, and not looked up when they are needed. */
  alwaysLoad?: boolean;
};

/** A server behind server-sent events. */
export type McpSSEServerConfig = {
  type: 'sse';
  url: string;
  headers?: Record<string, string>;
  tools?: McpServerToolPolicy[];
  /** How long a tool call may take, in ms; below 1000 is ignored, and without it the variable `MCP_TOOL_TIMEOUT` counts, else no limit. */
  timeout?: number;
  /** With true the tools are offered from the start, and not looked up when they are needed. */
  alwaysLoad?: boolean;
};

/** A server within the host, reached over the control channel. */
export type McpSdkServerConfig = {
  type: 'sdk';
  /** What `mcp_message` requests for this server have as `server_name`. */
  name: string;
  /** How long a tool call may take, in ms; below 1000 is ignored, and without it the variable `MCP_TOOL_TIMEOUT` counts, else no limit. */
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
  /** Where the server comes from, such as `sdk` for one within the host. */
  source: string;
};

/** A server as the agent sees it. */
export type McpServerStatus = {
  name: string;
  /** `pending` while it connects, `needs-auth` until the user has signed in to it, `disabled` after `mcp_toggle`. */
  status: 'connected' | 'failed' | 'needs-auth' | 'pending' | 'disabled';
  /** What the server calls itself; absent unless it is connected. */
  serverInfo?: {
    name: string;
    version: string;
  };
  /** Why it could not be connected, for people to read. */
  error?: string;
  config?: McpServerStatusConfig;
  /** Where it was configured, such as `dynamic` for one that the host has given. */
  scope?: string;
  /** Where the server comes from, such as `dynamic`, whatever its name says. */
  source?: string;
  /** How messages reach it, such as `stdio`. */
  transport?: string;
  /** The tools that it offers; absent unless it is connected. */
  tools?: {
    name: string;
    description?: string;
    /** Hints of the server about the tool, which nobody makes it keep to. */
    annotations?: {
      /** Whether the tool changes nothing. */
      readOnly?: boolean;
      /** Whether the tool may delete or overwrite something. */
      destructive?: boolean;
      /** Whether the tool reaches beyond the server, such as to the web. */
      openWorld?: boolean;
    };
    /** What else the server says of the tool, in the member that MCP keeps for such data. */
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
  /** The servers that could not be added, by name, each with the reason. */
  errors: Record<string, string>;
};

/** A server that is a child process. The default: its `type` may be missing. */
export type McpStdioServerConfig = {
  type?: 'stdio';
  /** The executable, which the agent starts with `args` as a child process. */
  command: string;
  args?: string[];
  env?: Record<string, string>;
  /** How long a tool call may take, in ms; below 1000 is ignored, and without it the variable `MCP_TOOL_TIMEOUT` counts, else no limit. */
  timeout?: number;
  /** With true the tools are offered from the start, and not looked up when they are needed. */
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
  /** The `tool_use_id` of the result that answers the call. */
  id: string;
  name: string;
  server_name: string;
  input: unknown;
};

/** A piece of text is about to be shown. */
export type MessageDisplayHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  turn_id: string;
  message_id: string;
  index: number;
  /** Whether this is the last piece. */
  final: boolean;
  /** The text of this piece alone. */
  delta: string;
  hook_event_name: 'MessageDisplay';
};

/** What a hook of `MessageDisplay` may answer beside the common members. */
export type MessageDisplayHookSpecificOutput = {
  hookEventName: 'MessageDisplay';
  /** What is shown in place of the piece; what the model has said stays as it was. */
  displayContent?: string;
};

/** A message as the model API takes it. */
export type MessageParam = {
  role: 'user' | 'assistant' | 'system';
  content: PromptContent;
};

/** A model that may be chosen. */
export type ModelInfo = {
  /** What `set_model` and the flag `--model` take: an alias such as `opus`, or an id. */
  value: string;
  /** The id of the model that `value` stands for. */
  resolvedModel?: string;
  displayName: string;
  description: string;
  /** Whether the model can be told how hard to try. */
  supportsEffort?: boolean;
  supportedEffortLevels?: ('low' | 'medium' | 'high' | 'xhigh' | 'max')[];
  /** Whether the model can choose by itself how much it thinks. */
  supportsAdaptiveThinking?: boolean;
  supportsFastMode?: boolean;
  /** Whether the permission mode `auto` works with it. */
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
  /** Of the tokens written to the prompt cache, those it keeps for five minutes. */
  cacheCreationEphemeral5mInputTokens?: number;
  /** Of the tokens written to the prompt cache, those it keeps for one hour. */
  cacheCreationEphemeral1hInputTokens?: number;
  webSearchRequests: number;
  costUSD: number;
  /** How many tokens the model can take in at once. */
  contextWindow: number;
  /** How many tokens one reply may have at most. */
  maxOutputTokens: number;
  canonicalModel?: string;
  /** Through which service the model was reached, such as `firstParty`. */
  provider?: string;
  costBasis?: 'list' | 'managed' | 'unknown';
};

/** The tokens of the main loop of one turn. No member but `fallback_credit` is null. */
export type NonNullableUsage = {
  /** Tokens of the input that were neither read from the prompt cache nor written to it. */
  input_tokens: number;
  /** Tokens that the model wrote, those of its thinking among them. */
  output_tokens: number;
  /** Tokens of the input that were written to the prompt cache. */
  cache_creation_input_tokens?: number;
  /** Tokens of the input that were read from the prompt cache. */
  cache_read_input_tokens?: number;
  /** The tokens written to the prompt cache, by how long it keeps them. */
  cache_creation?: {
    /** Tokens that the prompt cache keeps for five minutes. */
    ephemeral_5m_input_tokens: number;
    /** Tokens that the prompt cache keeps for one hour. */
    ephemeral_1h_input_tokens: number;
  };
  /** How often tools ran that the model API runs itself. */
  server_tool_use?: {
    web_search_requests: number;
    web_fetch_requests: number;
  };
  /** What the output tokens were spent on. */
  output_tokens_details?: {
    thinking_tokens: number;
  };
  /** The service tier that took the request, such as `standard`, `priority` or `batch`. */
  service_tier?: string;
  /** The region of the world in which the model ran. */
  inference_geo?: string;
  /** The tokens of each round of the model, where the model API ran several for one call. */
  iterations?: unknown[];
  /** The speed at which the model ran, such as `standard` or `fast`. */
  speed?: string;
  fallback_credit?: unknown;
};

/** The agent wants the attention of the user. */
export type NotificationHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  message: string;
  title?: string;
  /** What it is about, such as `permission_prompt`; a matcher is compared with it. */
  notification_type: string;
  hook_event_name: 'Notification';
};

/** What a hook of `Notification` may answer beside the common members. */
export type NotificationHookSpecificOutput = {
  hookEventName: 'Notification';
  /** Text that the model is given. */
  additionalContext?: string;
};

/** What a permission rule does with a tool call. */
export type PermissionBehavior = 'allow' | 'deny' | 'ask';

/** How the user meant an answer, for the statistics of the agent. */
export type PermissionDecisionClassification = 'user_temporary' | 'user_permanent' | 'user_reject';

/** A call was denied without anybody being asked. */
export type PermissionDeniedHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The tool, `mcp__SERVER__TOOL` for one of an MCP server; a matcher is compared with it. */
  tool_name: string;
  /** What the tool is called with; the shape depends on the tool. */
  tool_input: unknown;
  /** The MCP server of the tool; absent for tools of the agent. */
  mcp_server?: McpServerProvenance;
  tool_use_id: string;
  reason: string;
  hook_event_name: 'PermissionDenied';
};

/** What a hook of `PermissionDenied` may answer beside the common members. */
export type PermissionDeniedHookSpecificOutput = {
  hookEventName: 'PermissionDenied';
  /** With true the model is told that it may try the call again; the denial stays. */
  retry?: boolean;
};

/** How much the agent may do without asking. */
export type PermissionMode = 'default' | 'acceptEdits' | 'bypassPermissions' | 'plan' | 'dontAsk' | 'auto';

/** The agent wants to ask for permission; hook and host are asked at once, and the first answer counts. */
export type PermissionRequestHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The tool, `mcp__SERVER__TOOL` for one of an MCP server; a matcher is compared with it. */
  tool_name: string;
  /** What the tool is called with; the shape depends on the tool. */
  tool_input: unknown;
  /** The MCP server of the tool; absent for tools of the agent. */
  mcp_server?: McpServerProvenance;
  /** Changes of the rules that the user is offered; those wanted go back as `updatedPermissions`. */
  permission_suggestions?: PermissionUpdate[];
  hook_event_name: 'PermissionRequest';
};

/** What a hook of `PermissionRequest` may answer beside the common members. */
export type PermissionRequestHookSpecificOutput = {
  hookEventName: 'PermissionRequest';
  /** The answer for the user; to allow does not outweigh rules that deny. */
  decision:
    | {
        behavior: 'allow';
        /** The whole input to call the tool with instead. */
        updatedInput?: Record<string, unknown>;
        /** Changes of the rules to apply as well. */
        updatedPermissions?: PermissionUpdate[];
      }
    | {
        behavior: 'deny';
        /** Why, for the model to read. */
        message?: string;
        /** With true the whole turn ends. */
        interrupt?: boolean;
      };
};

/** The answer to a permission request. Closed: what neither allows nor denies is no answer. */
export type PermissionResult =
  | {
      behavior: 'allow';
      /** The whole input to call the tool with instead; the call is made as it was where this is absent. */
      updatedInput?: Record<string, unknown>;
      /** Changes of the rules to apply as well: malformed ones are ignored, at most 4096 updates, rules and directories in all. */
      updatedPermissions?: PermissionUpdate[];
      /** The `tool_use_id` of the request; by it the agent recognises an answer that comes late or twice. */
      toolUseID?: string;
      decisionClassification?: PermissionDecisionClassification;
    }
  | {
      behavior: 'deny';
      /** What the model reads as the result of the call. */
      message?: string;
      /** With true the whole turn ends, with the result `error_during_execution`; otherwise it goes on without the call. */
      interrupt?: boolean;
      /** The `tool_use_id` of the request; by it the agent recognises an answer that comes late or twice. */
      toolUseID?: string;
      decisionClassification?: PermissionDecisionClassification;
    };

/** A rule: a tool, and a pattern of its input. */
export type PermissionRuleValue = {
  /** The name of a tool as the model calls it, such as `Bash` or `mcp__SERVER__TOOL`. */
  toolName: string;
  ruleContent?: string;
};

/** A change of the permission rules: offered with a request, and sent back with its answer when the user wants it. */
export type PermissionUpdate =
  | {
      type: 'addRules';
      /** The rules to add or to take away; with `replaceRules` the only ones of this behavior that the destination has afterwards. */
      rules: PermissionRuleValue[];
      /** What the rules do with a call; only rules of the same behavior are replaced or taken away. */
      behavior: PermissionBehavior;
      destination: PermissionUpdateDestination;
    }
  | {
      type: 'replaceRules';
      /** The rules to add or to take away; with `replaceRules` the only ones of this behavior that the destination has afterwards. */
      rules: PermissionRuleValue[];
      /** What the rules do with a call; only rules of the same behavior are replaced or taken away. */
      behavior: PermissionBehavior;
      destination: PermissionUpdateDestination;
    }
  | {
      type: 'removeRules';
      /** The rules to add or to take away; with `replaceRules` the only ones of this behavior that the destination has afterwards. */
      rules: PermissionRuleValue[];
      /** What the rules do with a call; only rules of the same behavior are replaced or taken away. */
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
      /** Paths of directories that the agent may work in, or no longer with `removeDirectories`. */
      directories: string[];
      destination: PermissionUpdateDestination;
    }
  | {
      type: 'removeDirectories';
      /** Paths of directories that the agent may work in, or no longer with `removeDirectories`. */
      directories: string[];
      destination: PermissionUpdateDestination;
    };

/** Where a change of the rules is kept; `session` ends with the session. */
export type PermissionUpdateDestination = 'userSettings' | 'projectSettings' | 'localSettings' | 'session' | 'cliArg';

/** The history was summarised. */
export type PostCompactHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  /** `manual` for `/compact`, `auto` where the context window is full; a matcher is compared with it. */
  trigger: 'manual' | 'auto';
  /** The summary that stands for the conversation from now on. */
  compact_summary: string;
  hook_event_name: 'PostCompact';
};

/** Another model is used from now on. */
export type PostModelSwitchHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  from_model: string;
  to_model: string;
  /** The model as it was asked for, such as an alias. */
  requested_model: string | null;
  /** How many tokens of context the new model has to read. */
  context_tokens: number;
  /** Whether the conversation is still in the prompt cache. */
  prompt_cache_warm: boolean;
  /** How long the prompt cache keeps what is written to it. */
  cache_ttl: '5m' | '1h';
  /** What it costs to write the conversation to the prompt cache anew, in US dollars, as an estimate. */
  estimated_cache_write_usd: number;
  /** Where the prices of the estimate come from. */
  pricing: 'configured' | 'catalog' | 'default';
  /** As for `PreModelSwitch`, or the agent by itself (`auto`), or a session that is resumed. */
  source: 'command' | 'picker' | 'sdk' | 'auto' | 'resume';
  hook_event_name: 'PostModelSwitch';
};

/** What a hook of `PostModelSwitch` may answer beside the common members. */
export type PostModelSwitchHookSpecificOutput = {
  hookEventName: 'PostModelSwitch';
  /** Text that the model is given. */
  additionalContext?: string;
};

/** All calls of one message were made. */
export type PostToolBatchHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  tool_calls: PostToolBatchToolCall[];
  hook_event_name: 'PostToolBatch';
};

/** What a hook of `PostToolBatch` may answer beside the common members. */
export type PostToolBatchHookSpecificOutput = {
  hookEventName: 'PostToolBatch';
  /** Text that the model is given before it goes on. */
  additionalContext?: string;
};

/** One call of a batch. */
export type PostToolBatchToolCall = {
  tool_name: string;
  /** What the tool was called with; the shape depends on the tool. */
  tool_input: unknown;
  tool_use_id: string;
  /** What the model reads as the result, other than the `tool_response` of `PostToolUse`. */
  tool_response?: unknown;
};

/** A tool was called and failed. */
export type PostToolUseFailureHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The tool, `mcp__SERVER__TOOL` for one of an MCP server; a matcher is compared with it. */
  tool_name: string;
  /** What the tool is called with; the shape depends on the tool. */
  tool_input: unknown;
  /** The MCP server of the tool; absent for tools of the agent. */
  mcp_server?: McpServerProvenance;
  tool_use_id: string;
  /** What went wrong. */
  error: string;
  /** True where the user interrupted the call. */
  is_interrupt?: boolean;
  /** How long the tool ran, in ms, without the time for permissions and hooks. */
  duration_ms?: number;
  hook_event_name: 'PostToolUseFailure';
};

/** What a hook of `PostToolUseFailure` may answer beside the common members. */
export type PostToolUseFailureHookSpecificOutput = {
  hookEventName: 'PostToolUseFailure';
  /** Text that the model is given along with the error. */
  additionalContext?: string;
};

/** A tool was called and answered. */
export type PostToolUseHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The tool, `mcp__SERVER__TOOL` for one of an MCP server; a matcher is compared with it. */
  tool_name: string;
  /** What the tool is called with; the shape depends on the tool. */
  tool_input: unknown;
  /** The MCP server of the tool; absent for tools of the agent. */
  mcp_server?: McpServerProvenance;
  tool_use_id: string;
  /** What the tool gave, mostly an object; the shape depends on the tool. */
  tool_response: unknown;
  /** How long the tool ran, in ms, without the time for permissions and hooks. */
  duration_ms?: number;
  hook_event_name: 'PostToolUse';
};

/** What a hook of `PostToolUse` may answer beside the common members. */
export type PostToolUseHookSpecificOutput = {
  hookEventName: 'PostToolUse';
  /** Text that the model is given along with the result of the call. */
  additionalContext?: string;
  /** Text for the classifier that judges tool calls; at most 2000 UTF-16 units. */
  classifierContext?: string;
  /** What the model reads in place of the output; for built-in tools it must have the shape of their output, or is ignored. */
  updatedToolOutput?: unknown;
  /** Deprecated: `updatedToolOutput`, for tools of MCP servers only. */
  updatedMCPToolOutput?: unknown;
};

/** The history is about to be summarised. */
export type PreCompactHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  /** `manual` for `/compact`, `auto` where the context window is full; a matcher is compared with it. */
  trigger: 'manual' | 'auto';
  /** What stands behind `/compact`; null or empty where nothing does. */
  custom_instructions: string | null;
  hook_event_name: 'PreCompact';
};

/** Another model is about to be used. */
export type PreModelSwitchHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  from_model: string;
  to_model: string;
  /** The model as it was asked for, such as an alias. */
  requested_model: string | null;
  /** How many tokens of context the new model has to read. */
  context_tokens: number;
  /** Whether the conversation is still in the prompt cache. */
  prompt_cache_warm: boolean;
  /** How long the prompt cache keeps what is written to it. */
  cache_ttl: '5m' | '1h';
  /** What it costs to write the conversation to the prompt cache anew, in US dollars, as an estimate. */
  estimated_cache_write_usd: number;
  /** Where the prices of the estimate come from. */
  pricing: 'configured' | 'catalog' | 'default';
  /** What asks for it: a command, the list of models, or the `set_model` of a host. */
  source: 'command' | 'picker' | 'sdk';
  hook_event_name: 'PreModelSwitch';
};

/** What a hook of `PreModelSwitch` may answer beside the common members. */
export type PreModelSwitchHookSpecificOutput = {
  hookEventName: 'PreModelSwitch';
  /** `ask` is a refusal where nobody can be asked, as in an agent without a terminal. */
  permissionDecision?: 'allow' | 'deny' | 'ask';
  permissionDecisionReason?: string;
};

/** A tool is about to be called; the hook may allow, deny, ask, defer, or change the input. */
export type PreToolUseHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The tool, `mcp__SERVER__TOOL` for one of an MCP server; a matcher is compared with it. */
  tool_name: string;
  /** What the tool is called with; the shape depends on the tool. */
  tool_input: unknown;
  /** The MCP server of the tool; absent for tools of the agent. */
  mcp_server?: McpServerProvenance;
  tool_use_id: string;
  hook_event_name: 'PreToolUse';
};

/** What a hook of `PreToolUse` may answer beside the common members. */
export type PreToolUseHookSpecificOutput = {
  hookEventName: 'PreToolUse';
  /** Of several decisions the strictest counts, in the order deny, defer, ask, allow. */
  permissionDecision?: HookPermissionDecision;
  /** Read by the model where the call is denied, else by the user. */
  permissionDecisionReason?: string;
  /** The whole input to call the tool with instead. */
  updatedInput?: Record<string, unknown>;
  /** Text that the model is given along with the result of the call. */
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
  /** Whether the files can be put back; where they cannot, `error` says why. */
  canRewind: boolean;
  error?: string;
  /** Paths of the files that were put back, or would be with `dry_run`. */
  filesChanged?: string[];
  insertions?: number;
  deletions?: number;
  skippedLinks?: number;
};

/** A call of the model API failed and is tried again. */
export type SDKAPIRetryMessage = {
  type: 'system';
  subtype: 'api_retry';
  /** Which retry this is, counted from 1. */
  attempt: number;
  /** How many retries there may be; 10 unless the agent is told otherwise. */
  max_retries: number;
  /** Milliseconds from the failure to the next try. */
  retry_delay_ms: number;
  /** The HTTP status of the failure; null where there was no response. */
  error_status: number | null;
  error: SDKAssistantMessageError;
  /** Present only where the model API did not begin to answer in time. */
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
  /** The call of the tool that the subagent works for; null in the main conversation. */
  parent_tool_use_id: string | null;
  /** Set where the agent made the message up to tell of a failed call of the model API; `message.model` is then `<synthetic>`. */
  error?: SDKAssistantMessageError;
  /** The id of the request to the model API; not the `request_id` of a control request. */
  request_id?: string;
  /** The `uuid` of the prompt that the turn answers; only on its first reply and its result, and only where the prompt has one. */
  user_message_uuid?: string;
  /** All prompts that the turn has taken so far, in order, at most 64; there whenever `user_message_uuid` is, which is one of them. */
  user_message_uuids?: string[];
  /** Set only where the turn takes up one that a restart of the worker cut; `interrupted_turn` unless the agent was told a reason. */
  resume_reason?: string;
  /** The turn was cut within a signed thinking block and goes on here; a history that is replayed must keep this member. */
  resumed_from_incomplete_thinking?: true;
  /** The `uuid`s of earlier messages in whose place this one comes: delete those. */
  supersedes?: UUID[];
  /** An interrupt cut the reply: it has no stop reason, and its text may end within a word. */
  aborted?: true;
  /** The subagent that made the message, by the `task_id` of its task; absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent, such as `general-purpose`. */
  subagent_type?: string;
  /** The description with which the task of the subagent was given to it. */
  task_description?: string;
  /** When the message was made, in ISO 8601: a time to show, never one to order by. */
  timestamp?: string;
  /** The report of `/context` as data, on the message that holds its text. */
  context_usage?: SDKContextUsage;
  /** The report of `/usage` as data, on the message that holds its text. */
  usage_report?: SDKUsageReport;
  /** True on a message that tells of a failed call of the model API, beside `error`. */
  is_api_error_message?: boolean;
  /** The HTTP status of the failed call of the model API, such as 400. */
  api_error_status?: number;
  /** The failed call of the model API, such as `connection_failed`. */
  api_error?: string;
  /** The kind of the failure as the model API names it, such as `invalid_request_error`. */
  api_error_type?: string;
  /** How to show each call of an MCP tool in this message: its `id`, with names of the tool and its server. */
  tool_use_meta?: unknown[];
  /** The slash command whose output this is. */
  local_command_run?: {
    command: string;
    args: string;
  };
  /** What that command printed, as the transcript has it. */
  local_command_source?: string;
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
  /** Lines of text on how the login goes. */
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
    /** The same in all messages about the task; that of a subagent is its `agent_id` too. */
    task_id: string;
    /** One run of the task: taken up again, a task keeps its `task_id` and gets a `run_id` that sorts behind the ones before. */
    run_id?: string;
    /** Such as `local_agent`, `local_bash`, `local_workflow` or `mcp_task`; new kinds may come. */
    task_type: string;
    /** The kind of the subagent, such as `general-purpose`. */
    subagent_type?: string;
    description: string;
    /** The task of the subagent that started this one. */
    parent_task_id?: string;
    /** True where the task is no sign of activity: show no session as busy because of it. */
    ambient?: boolean;
  }[];
  uuid: UUID;
  session_id: string;
};

/** What became of a prompt that carried a `uuid`. Seen, not declared. */
export type SDKCommandLifecycleMessage = {
  type: 'command_lifecycle';
  /** The `uuid` that the host gave to the prompt. */
  command_uuid: string;
  /** First `queued`, then `started`; every other state is final, and `completed` comes after the result of the turn. */
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
    /** Tokens of the history before the compaction. */
    pre_tokens: number;
    /** Tokens of the history after the compaction. */
    post_tokens?: number;
    duration_ms?: number;
    cumulative_dropped_tokens?: number;
    /** The messages that were kept, by the first and the last one. */
    preserved_segment?: {
      head_uuid: UUID;
      /** The message that the kept ones follow from now on. */
      anchor_uuid: UUID;
      tail_uuid: UUID;
    };
    /** The messages that were kept, by `uuid`. */
    preserved_messages?: {
      /** The message that the kept ones follow from now on. */
      anchor_uuid: UUID;
      uuids: UUID[];
      all_uuids?: UUID[];
    };
  };
  /** The message that this one follows in the conversation. */
  logical_parent_uuid?: UUID;
  uuid: UUID;
  session_id: string;
};

/** What fills the context window. */
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
  /** In use, free, kept as a buffer, or `deferred`: of tools that are not loaded yet. */
  kind: 'used' | 'free' | 'buffer' | 'deferred';
};

/** Merges settings over those of the command line; `null` clears one. */
export type SDKControlApplyFlagSettingsRequest = {
  subtype: 'apply_flag_settings';
  /** Settings by name; each replaces the one of that name as a whole. */
  settings: Record<string, unknown>;
};

/** Lets running tasks go on in the background: all, or one. */
export type SDKControlBackgroundTasksRequest = {
  subtype: 'background_tasks';
  /** The tool call whose task is meant; all of them where it is absent. */
  tool_use_id?: string;
};

/** Whether anything went to the background; read as true when missing. */
export type SDKControlBackgroundTasksResponse = {
  backgrounded?: boolean;
};

/** Takes back a prompt that waits. */
export type SDKControlCancelAsyncMessageRequest = {
  subtype: 'cancel_async_message';
  /** The `uuid` of the prompt; one that does not wait is no error. */
  message_uuid: string;
};

/** Whether the prompt was still waiting. */
export type SDKControlCancelAsyncMessageResponse = {
  /** False where no prompt with that id was waiting. */
  cancelled?: boolean;
  /** As in the request. */
  message_uuid?: string;
};

/** Takes back one's own request. There is no answer to it, and may be none to the request. */
export type SDKControlCancelRequest = {
  type: 'control_cancel_request';
  /** The id of the request that is taken back; an unknown one is ignored. */
  request_id: string;
};

/** A server asks the user something. */
export type SDKControlElicitationRequest = {
  subtype: 'elicitation';
  mcp_server_name: string;
  /** What the server wants to know, for the user to read. */
  message: string;
  /** `form`, the default, asks for fields to be filled in; `url` sends the user to a web page. */
  mode?: 'form' | 'url';
  /** The web page to open; with the mode `url` only. */
  url?: string;
  /** With the mode `url`: `elicitation_complete` names it when the server has what it wants. */
  elicitation_id?: string;
  /** The JSON Schema of the fields to fill in; with the mode `form` only. */
  requested_schema?: Record<string, unknown>;
  /** The names of the fields in the order to show them. */
  property_order?: string[];
  title?: string;
  display_name?: string;
  description?: string;
};

/** Asks which files the user may mean. */
export type SDKControlFileSuggestionsRequest = {
  subtype: 'file_suggestions';
  /** What the user has typed so far behind an `@`. */
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
  /** `full`, the default, counts each item by a call of the API; `summary` makes none. */
  detail?: 'summary' | 'full';
};

/** What fills the context window. */
export type SDKControlGetContextUsageResponse = {
  categories: {
    /** What the part is, for programs; `name` is for people. */
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
    /** A colour by its name in the themes of the terminal, such as `inactive`. */
    color: string;
    /** True where the part is outside of the window until it is needed, and not in `totalTokens`. */
    isDeferred?: boolean;
    /** `used` is what fills the window, `buffer` is kept free for a compaction, `deferred` is not loaded yet. */
    kind: 'used' | 'free' | 'buffer' | 'deferred';
  }[];
  /** What fills the window: the tokens of all categories of the kind `used`. */
  totalTokens: number;
  /** The size of the window in tokens, with what is free or kept free. */
  maxTokens: number;
  rawMaxTokens: number;
  /** How full the window is, from 0 to 100, rounded. */
  percentage: number;
  /** A drawing of the window: rows of squares in the colours of the categories. */
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
    /** Whether the tool is in the window, and not only to be looked up. */
    isLoaded?: boolean;
  }[];
  mcpInstructions?: {
    serverName: string;
    tokens: number;
  }[];
  deferredBuiltinTools?: {
    name: string;
    tokens: number;
    /** Whether the tool has come into the window since. */
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
    /** How many of them are in the window. */
    includedCommands: number;
    tokens: number;
  };
  skills?: {
    totalSkills: number;
    /** How many of them are in the window. */
    includedSkills: number;
    tokens: number;
    /** The skills, each with the tokens of its head: what the model is told of it until it is used. */
    skillFrontmatter: {
      name: string;
      source: string;
      pluginName?: string;
      pluginId?: string;
      path?: string;
      tokens: number;
    }[];
  };
  /** How many tokens make the agent compact the conversation by itself. */
  autoCompactThreshold?: number;
  isAutoCompactEnabled: boolean;
  /** What the tokens of the category `messages` consist of. */
  messageBreakdown?: {
    toolCallTokens: number;
    toolResultTokens: number;
    /** What the agent adds to prompts, such as the list of skills. */
    attachmentTokens: number;
    assistantMessageTokens: number;
    userMessageTokens: number;
    redirectedContextTokens: number;
    /** What belongs to none of the others. */
    unattributedTokens: number;
    toolCallsByType: {
      name: string;
      callTokens: number;
      resultTokens: number;
    }[];
    /** The attachments by what they are, such as `skill_listing`. */
    attachmentsByType: {
      name: string;
      tokens: number;
    }[];
  };
  /** What the API reported with its last reply; null before the first one. */
  apiUsage: {
    input_tokens: number;
    output_tokens: number;
    cache_creation_input_tokens: number;
    cache_read_input_tokens: number;
  } | null;
  /** Where the limit for compactions comes from, such as `model-default`. */
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
    /** Whether a matcher can choose among events of this kind. */
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
    /** Whether a matcher can choose among events of this kind. */
    supportsMatcher: boolean;
  }[];
  policy: {
    disabledByPolicy: boolean;
    managedOnly: boolean;
    pluginOnly: boolean;
    /** Whether all hooks are switched off, as by the setting `disableAllHooks`. */
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
  /** The settings that hold, from all sources together. */
  effective?: Record<string, unknown>;
  /** The settings of each source by itself. */
  sources?: unknown[];
  /** What the session really runs with, such as its model. */
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
  /** The last 8 KiB at most. */
  output: string;
  /** How much the task has written so far. */
  total_bytes: number;
  /** Whether the beginning is missing in `output`. */
  truncated: boolean;
};

/** Asks what the account has used of its limits. */
export type SDKControlGetUsageRequest = {
  subtype: 'get_usage';
  skip_behaviors?: boolean;
};

/** What the account has used of its limits. */
export type SDKControlGetUsageResponse = {
  /** The totals of this session, which are there without an account too. */
  session: {
    total_cost_usd: number;
    /** Milliseconds spent in calls of the model API. */
    total_api_duration_ms: number;
    total_duration_ms: number;
    total_lines_added: number;
    total_lines_removed: number;
    /** The figures of each model, by its name. */
    model_usage: Record<string, ModelUsage>;
  };
  /** The plan of the account; null without one, as with an API key. */
  subscription_type: string | null;
  /** Whether there are limits to tell; `rate_limits` is null where there are none. */
  rate_limits_available: boolean;
  rate_limits: {
    five_hour?: {
      utilization: number | null;
      /** When the limit starts anew, as text; `rate_limit_event` has such a time in seconds since 1970. */
      resets_at: string | null;
    } | null;
    seven_day?: {
      utilization: number | null;
      /** When the limit starts anew, as text; `rate_limit_event` has such a time in seconds since 1970. */
      resets_at: string | null;
    } | null;
    seven_day_oauth_apps?: {
      utilization: number | null;
      /** When the limit starts anew, as text; `rate_limit_event` has such a time in seconds since 1970. */
      resets_at: string | null;
    } | null;
    seven_day_opus?: {
      utilization: number | null;
      /** When the limit starts anew, as text; `rate_limit_event` has such a time in seconds since 1970. */
      resets_at: string | null;
    } | null;
    seven_day_sonnet?: {
      utilization: number | null;
      /** When the limit starts anew, as text; `rate_limit_event` has such a time in seconds since 1970. */
      resets_at: string | null;
    } | null;
    /** Limits for single models, each with the name to show. */
    model_scoped?: {
      display_name: string;
      utilization: number | null;
      resets_at: string | null;
    }[];
    /** What may be used beyond the limits of the plan, and what was. */
    extra_usage?: {
      is_enabled: boolean;
      monthly_limit: number | null;
      used_credits: number | null;
      utilization: number | null;
      currency?: string | null;
    } | null;
  } | null;
  /** What used the limits within a day, and within a week; null where there is nothing to tell. */
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
  /** The hooks of the host by event, in place of all that an earlier `initialize` registered; null is the same as absent. */
  hooks?: Partial<Record<HookEvent, SDKHookCallbackMatcher[]>> | null;
  /** Names of MCP servers within the host, which are reached by `mcp_message`. */
  sdkMcpServers?: string[];
  /** What holds for those servers, by their names. */
  sdkMcpServerConfigs?: Record<
    string,
    {
      /** How long a tool call may take, in ms; below 1000 is ignored, and without it the variable `MCP_TOOL_TIMEOUT` counts, else no limit. */
      timeout?: number;
      tools?: McpServerToolPolicy[];
    }
  >;
  /** What those servers answered to a handshake that the host has made, by their names; the agent need not make it again. */
  sdkMcpServerManifests?: Record<
    string,
    {
      /** The server's result of the MCP request `initialize`. */
      initializeResult: Record<string, unknown>;
      /** The server's result of the MCP request `tools/list`. */
      toolsListResult?: Record<string, unknown>;
    }
  >;
  /** Needed over remote transports only. */
  sdkMcpServerManifestsOrigin?: 'host_per_send';
  /** The JSON Schema that the `structured_output` of results has to fit. */
  jsonSchema?: Record<string, unknown>;
  /** The parts of a system prompt in place of the one of the agent; a single empty text is an empty prompt. */
  systemPrompt?: string[];
  /** Text to add behind the system prompt of the agent. */
  appendSystemPrompt?: string;
  /** With true the system prompt is recorded once. */
  systemPromptSnapshot?: boolean;
  /** What the model is told in the permission mode `plan`. */
  planModeInstructions?: string;
  /** Other names for tools, each with the name it stands for; an alias of an alias is not followed. */
  toolAliases?: Record<string, string>;
  /** With true the system prompt leaves out what changes with each run, to be cached. */
  excludeDynamicSections?: boolean;
  /** Subagents that the host defines, by name. */
  agents?: Record<string, AgentDefinition>;
  /** The title of the session. */
  title?: string;
  /** The only skills that are offered; all where it is absent. */
  skills?: string[];
  /** With true the agent may send a `prompt_suggestion` after each result. */
  promptSuggestions?: boolean;
  /** With true the agent sums up what subagents do, in the `summary` of `task_progress`. */
  agentProgressSummaries?: boolean;
  /** With true the agent also tells what subagents say. */
  forwardSubagentText?: boolean;
  /** The kinds of dialog that the host can show; the agent sends no `request_user_dialog` of any other kind. */
  supportedDialogKinds?: string[];
  /** Tells that users can stop each background task by itself, so that an `interrupt` leaves them running. */
  perTaskStopAffordance?: boolean;
  /** Plugins to load; read only by an agent that was started with `--await-initialize`. */
  plugins?: SdkPluginConfig[];
  /** MCP servers by name; read only by an agent that was started with `--await-initialize`. */
  mcpServers?: Record<string, McpServerConfigForProcessTransport>;
};

/** What the agent offers; members after the declared ones were seen on the wire. */
export type SDKControlInitializeResponse = {
  commands: SlashCommand[];
  agents: AgentInfo[];
  /** The output style in use, one of `available_output_styles`. */
  output_style: string;
  available_output_styles: string[];
  models: ModelInfo[];
  account: AccountInfo;
  /** True where the hooks of this request are registered; absent where it had none. */
  hooks_applied?: boolean;
  /** True where the agent minds `onFailure` of hooks; older agents ignore it. */
  hook_on_failure_supported?: boolean;
  /** True where the `plugins` of the request were taken; absent where it named none. */
  plugins_applied?: boolean;
  /** True where the `mcpServers` of the request were taken; absent where they were not. */
  mcp_servers_applied?: boolean;
  /** What became of each of the `sdkMcpServerManifests`, by the name of its server. */
  sdk_mcp_manifests_parked?: Record<
    string,
    'parked' | 'already_connected' | 'protocol_version_mismatch' | 'malformed' | 'not_honoured'
  >;
  /** The version of the agent. */
  claude_code_version?: string;
  fast_mode_state?: FastModeState;
  /** Absent where nothing is in the way of fast mode. */
  fast_mode_disabled_reason?: FastModeDisabledReason;
  /** The folder in which the user keeps output styles of their own. */
  user_output_styles_dir?: string;
  /** The id of the process of the agent. */
  pid?: number;
  current_permission_mode?: PermissionMode;
  /** `idle` or `running`, as in the message `session_state_changed`. */
  session_state?: string;
  /** Features that the agent has, by name; the list in `system/init` is the longer one. */
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
  /** With true waiting prompts are dropped too; wants the capability `interrupt_cancel_queued_v1`. */
  cancel_queued?: boolean;
};

/** The receipt: prompts that still wait, and those that were dropped. Older agents send an empty one. */
export type SDKControlInterruptResponse = {
  /** The `uuid`s of prompts that still wait. */
  still_queued?: string[];
  /** The `uuid`s of prompts that were dropped; there with `cancel_queued` only. */
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
  /** The full name of the tool, `mcp__SERVER__TOOL`. */
  tool: string;
  /** The input of the tool, in which `{{in:NAME}}` and `{{out:NAME}}` stand for files of `input_files` and `output_files`. */
  arguments?: Record<string, unknown>;
  /** When the call expires, an RFC 3339 time; required with `output_files`. */
  expires_at?: string;
  /** How long the call may take: 1000 to 600000 ms, 120000 where it is absent. */
  timeout_ms?: number;
  /** With true the blocks of the result come as the server gave them, and more than 10485760 characters are an error. */
  result_not_for_model?: boolean;
  /** With true the call is judged as one of the model would be, if need be by `can_use_tool`; otherwise it is trusted. */
  check_permissions?: boolean;
  /** Files that the tool reads. */
  input_files?: {
    name: string;
    lane_path: string;
  }[];
  /** Files that the tool writes. */
  output_files?: {
    name: string;
    lane_path: string;
    /** The state that the file must still be in; otherwise it is not written. */
    if_match?: string;
  }[];
};

/** What the tool gave. */
export type SDKControlMcpCallResponse = {
  /** The content blocks of the result. */
  content?: unknown;
  /** The result as JSON, where the tool gives it so too. */
  structuredContent?: unknown;
  _meta?: Record<string, unknown>;
  staging?: unknown;
};

/** A message of MCP to the server behind the control channel, or from it. */
export type SDKControlMcpMessageRequest = {
  subtype: 'mcp_message';
  /** The server within the host that the message is for, or comes from. */
  server_name: string;
  /** A JSON-RPC message: for the server when the agent sends it, from the server when the host does. */
  message: JSONRPCMessage;
};

/** The answer of the server; an agent only acknowledges. */
export type SDKControlMcpMessageResponse = {
  /** The JSON-RPC answer, with an empty result to a notification; absent where an agent answers. */
  mcp_response?: JSONRPCMessage;
};

/** Reads a resource of a server. */
export type SDKControlMcpReadResourceRequest = {
  subtype: 'mcp_read_resource';
  serverName: string;
  /** The resource; only URIs that begin with `ui://` are served. */
  uri: string;
};

/** The resource, as text or as base64. */
export type SDKControlMcpReadResourceResponse = {
  contents: {
    uri: string;
    mimeType?: string;
    /** The content, where it is text. */
    text?: string;
    /** The content in base64, where it is not text. */
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
  /** All servers that the host adds, by name; those it added before and does not name here are removed. */
  servers: Record<string, McpServerConfigForProcessTransport>;
};

/** Asks how the servers are. */
export type SDKControlMcpStatusRequest = {
  subtype: 'mcp_status';
  /** Matters in remote sessions only. */
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
  /** The name that the model calls the tool by; `mcp__SERVER__TOOL` for a tool of an MCP server. */
  tool_name: string;
  /** The MCP server of the tool; absent for tools of the agent. */
  mcp_server?: McpServerProvenance;
  /** The input of the call, in which the agent may have filled in defaults. */
  input: Record<string, unknown>;
  /** Changes of the rules to offer to the user; those wanted go back as `updatedPermissions`. */
  permission_suggestions?: PermissionUpdate[];
  /** The path that made the agent ask, where one did. */
  blocked_path?: string;
  /** Why the agent asks, for people to read; may have ANSI colours. */
  decision_reason?: string;
  /** Why the agent asks, for programs. */
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
  /** Whether a classifier could approve the call; there where a safety check is involved. */
  classifier_approvable?: boolean;
  /** With true the user should not be offered to allow such calls always. */
  suppress_always_allow_rule?: boolean;
  /** With true the host should not preselect the approval. */
  default_to_no?: boolean;
  /** The rule that wants such calls to be asked for, where one does. */
  matched_ask_rule?: {
    source: string;
    tool_name: string;
    /** The pattern of the rule; absent where it is about all calls of the tool. */
    rule_content?: string;
  };
  /** The question as a sentence to show. */
  title?: string;
  /** A short name of the tool to show. */
  display_name?: string;
  /** The call that is asked for; by it the agent recognises an answer that comes late or twice. */
  tool_use_id: string;
  /** The subagent that makes the call; absent in the main conversation. */
  agent_id?: string;
  /** A line to show with the question, such as what a command is for. */
  description?: string;
  /** True where the question is what the tool is there for, as with `AskUserQuestion` and `ExitPlanMode`. */
  requires_user_interaction?: boolean;
  server_policy_ask_only?: boolean;
};

/** All rules that hold. */
export type SDKControlPermissionRulesState = {
  rules: SDKPermissionRuleEntry[];
  workspaceDirectories: SDKPermissionWorkspaceDirectory[];
  /** The working directory that the session began in. */
  originalCwd: string;
  managedOnly: boolean;
  errors?: SDKSettingsParseError[];
  withheld?: boolean;
};

/** Reads a file, as far as the rules of reading allow. */
export type SDKControlReadFileRequest = {
  subtype: 'read_file';
  path: string;
  /** How much to read at most, in bytes; 1 MB where it is absent. */
  max_bytes?: number;
  /** How to write `contents` of the answer; `base64` is for files that are not text. */
  encoding?: 'utf-8' | 'base64';
};

/** What the file holds. */
export type SDKControlReadFileResponse = {
  /** The text of the file, or its bytes in base64 where `encoding` says so. */
  contents: string;
  /** The absolute path of the file that was read. */
  absPath: string;
  /** True where the file is longer than `max_bytes` and its end is missing here. */
  truncated?: boolean;
  /** Absent where `contents` is text. */
  encoding?: 'base64';
  lossy?: boolean;
};

/** Adds a directory below the working directory as a root. */
export type SDKControlRegisterRepoRootRequest = {
  subtype: 'register_repo_root';
  /** A directory below the working directory, or below one given by `--add-dir`; any other is refused. */
  directory: string;
  /** With true the files of instructions (`CLAUDE.md`) are read again. */
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
  /** With true a busy agent refuses with `reload_plugins_busy`; needs the capability `reload_plugins_refuse_if_busy_v1`. */
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
  /** Who gives it the title; `remote` where it is absent. */
  source?: 'remote' | 'host';
  /** The session that is meant; any but the current one is refused. */
  session_id?: string;
};

/** A control request as it travels. Each side chooses the ids of its own requests. */
export type SDKControlRequest = {
  type: 'control_request';
  /** Chosen by the sender, unlike those of its other open requests; the other side may use the same, and nothing can be read from it. */
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
  /** The id of the control request that is under way. */
  request_id: string;
  /** With `api_retry` a call of the model API failed; the members below say when it is tried again. */
  status: 'started' | 'api_retry';
  /** Only with `api_retry`: which retry this is. */
  attempt?: number;
  /** Only with `api_retry`: how many retries there may be. */
  max_retries?: number;
  /** Only with `api_retry`: milliseconds from the failure to the next try. */
  retry_delay_ms?: number;
  /** Only with `api_retry`: the HTTP status of the failure, null where nobody responded. */
  error_status?: number | null;
  uuid: UUID;
  session_id: string;
};

/** The agent wants a dialog of a kind that the host announced in `initialize`. */
export type SDKControlRequestUserDialogRequest = {
  subtype: 'request_user_dialog';
  /** One of the `supportedDialogKinds` of `initialize`; a host that has not named it must not answer. */
  dialog_kind: string;
  /** What the dialog is about; the members depend on its kind. */
  payload: Record<string, unknown>;
  /** The tool call that the dialog belongs to, where there is one. */
  tool_use_id?: string;
};

/** The answer to a control request; the id sits inside `response`. Closed: what is neither success nor error is no answer. */
export type SDKControlResponse = {
  type: 'control_response';
  response: ControlResponse | ControlErrorResponse;
  /** Only in remote sessions: the answer is not kept for those who join later. */
  live_only?: boolean;
};

/** Puts the files back to what they were before a prompt. */
export type SDKControlRewindFilesRequest = {
  subtype: 'rewind_files';
  /** The `uuid` of the prompt. */
  user_message_id: string;
  /** With true nothing is changed, and the answer says what would be. */
  dry_run?: boolean;
};

/** Tells that the host has read a file, so that the agent may edit it. */
export type SDKControlSeedReadStateRequest = {
  subtype: 'seed_read_state';
  path: string;
  /** When the file was changed last, as the host saw it: whole milliseconds since 1970. */
  mtime: number;
};

/** Sets the accent colour of the session. */
export type SDKControlSetColorRequest = {
  subtype: 'set_color';
  /** A colour, or `default`. */
  color: string;
};

/** Tells whether anybody looks at the stream events. */
export type SDKControlSetHasSubscribersRequest = {
  subtype: 'set_has_subscribers';
  /** Matters only to agents that are started with the variable `CLAUDE_CODE_STREAM_EVENT_HOLD_MS`. */
  has_subscribers: boolean | null;
};

/** Limits the thinking; `null` goes back to the default. */
export type SDKControlSetMaxThinkingTokensRequest = {
  subtype: 'set_max_thinking_tokens';
  /** Null is the default of the session; without it the limit stays as it is. */
  max_thinking_tokens?: number | null;
  thinking_display?: 'summarized' | 'omitted' | 'highlights' | null;
};

/** Chooses the model of the turns to come; none, `null` or `default` goes back to the first one. */
export type SDKControlSetModelRequest = {
  subtype: 'set_model';
  /** An alias or an id: the `value` of one of the models that may be chosen. */
  model?: string | null;
};

/** The model that is used from now on. */
export type SDKControlSetModelResponse = {
  /** The id of the model, whatever name it was asked for by. */
  model?: string | null;
};

/** Changes how much the agent may do without asking. */
export type SDKControlSetPermissionModeRequest = {
  subtype: 'set_permission_mode';
  /** `manual` is taken too, as `default`; `bypassPermissions` is refused unless the agent was started with it allowed. */
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
  /** Which file of settings to write: that of the user in this project, or that of the user everywhere. */
  source: 'localSettings' | 'userSettings';
  /** Texts by name: `outputStyle` for `localSettings`, `effortLevel` for `userSettings`; all else is refused. */
  settings: Record<string, unknown>;
};

/** The conversation starts anew: later messages carry another `session_id` and totals begin at zero. */
export type SDKConversationResetMessage = {
  type: 'conversation_reset';
  /** The key of the new transcript; the `session_id` of the messages that follow is another one. */
  new_conversation_id: UUID;
  trigger?: 'clear' | 'plan_mode_exit' | 'fresh_session' | 'onboarding';
  /** The prompt that asked for `/clear`; only where that is the `trigger`. */
  user_message_uuid?: string;
  /** When the message was made, in ISO 8601: a time to show, never one to order by. */
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
  /** As in the `elicitation` request that asked for it. */
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
  /** Names with `|` between them, or a regular expression, for the tool or whatever else the event is about; all match where there is none. */
  matcher?: string | null;
  /** Ids that the host makes up; each is called by a `hook_callback` of its own, all at once. */
  hookCallbackIds: string[];
  /** How many seconds each callback may take before a tool call or a prompt is refused; no limit by default. */
  timeout?: number;
  /** What an error or an invalid answer does: `continue`, the default, passes over it, `block` refuses the action. */
  onFailure?: 'continue' | 'block';
};

/** The agent calls a hook of the host, by the id it was registered with. */
export type SDKHookCallbackRequest = {
  subtype: 'hook_callback';
  /** One of the `hookCallbackIds` that `initialize` registered. */
  callback_id: string;
  input: HookInput;
  /** The tool call that the event is about; for other events a new id that is no call. */
  tool_use_id?: string;
};

/** What a hook wrote so far. */
export type SDKHookProgressMessage = {
  type: 'system';
  subtype: 'hook_progress';
  /** The same in all messages on one run of the hook. */
  hook_id: string;
  /** A label of the hook, to show. */
  hook_name: string;
  /** The event that the hook runs on, such as `SessionStart`. */
  hook_event: string;
  stdout: string;
  stderr: string;
  /** What `stdout` and `stderr` hold, together. */
  output: string;
  uuid: UUID;
  session_id: string;
};

/** A hook is done. */
export type SDKHookResponseMessage = {
  type: 'system';
  subtype: 'hook_response';
  /** The same in all messages on one run of the hook. */
  hook_id: string;
  /** A label of the hook, to show. */
  hook_name: string;
  /** The event that the hook runs on, such as `SessionStart`. */
  hook_event: string;
  /** What `stdout` and `stderr` hold, together. */
  output: string;
  stdout: string;
  stderr: string;
  /** Present only where the hook is a command. */
  exit_code?: number;
  outcome: 'success' | 'error' | 'cancelled';
  uuid: UUID;
  session_id: string;
};

/** A hook began to run. */
export type SDKHookStartedMessage = {
  type: 'system';
  subtype: 'hook_started';
  /** The same in all messages on one run of the hook. */
  hook_id: string;
  /** A label of the hook, to show. */
  hook_name: string;
  /** The event that the hook runs on, such as `SessionStart`. */
  hook_event: string;
  uuid: UUID;
  session_id: string;
};

/** A text for the transcript. */
export type SDKInformationalMessage = {
  type: 'system';
  subtype: 'informational';
  /** Plain text to show. */
  content: string;
  level: 'info' | 'notice' | 'suggestion' | 'warning';
  /** The call that the text is about; one text on the progress of a call replaces the one before. */
  tool_use_id?: string;
  /** True where the turn does not go on. */
  prevent_continuation?: boolean;
  /** What the text is about, for programs: `hook_callback_failed` where a hook of the host failed. */
  tag?: string;
  /** What became of a prompt that a hook blocked. */
  prompt_submit_outcome?: {
    kind: string;
    prompt_kept: boolean;
    reason?: string;
  };
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
  /** The size of the file in bytes. */
  size?: number;
  /** For whom the file is and how much it matters, as MCP has it. */
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
      /** What made the notification, such as `session-task`. */
      producer?: string;
      /** The `run_id` of the task that ended. */
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
  /** Where in the store the entries belong. */
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
  /** A text to show. */
  content?: string;
  uuid: UUID;
  session_id: string;
};

/** A model refused, and another one was asked. */
export type SDKModelRefusalFallbackMessage = {
  type: 'system';
  subtype: 'model_refusal_fallback';
  trigger: 'refusal';
  /** Agents of today send only `retry`. */
  direction: 'retry' | 'revert' | 'sticky';
  /** Counts as `session` where it is absent. */
  scope?: 'session' | 'local';
  original_model: string;
  /** The id of the refused request to the model API, or null. */
  request_id: string | null;
  /** The kind of refusal as the model API names it; new kinds may come. */
  api_refusal_category?: string | null;
  /** Why the model refused, for people to read. */
  api_refusal_explanation?: string | null;
  /** The prompt to offer to the user for a change; null where there is none. */
  refused_user_message_uuid?: string | null;
  /** A text to show. */
  content: string;
  fallback_model: string;
  /** Messages to delete, by `uuid`; the same ones may be named again. */
  retracted_message_uuids?: string[];
  uuid: UUID;
  session_id: string;
};

/** A model refused, and no other one was asked. */
export type SDKModelRefusalNoFallbackMessage = {
  type: 'system';
  subtype: 'model_refusal_no_fallback';
  original_model: string;
  /** The id of the refused request to the model API, or null. */
  request_id: string | null;
  /** The kind of refusal as the model API names it; new kinds may come. */
  api_refusal_category?: string | null;
  /** Why the model refused, for people to read. */
  api_refusal_explanation?: string | null;
  /** The prompt to offer to the user for a change; null where there is none. */
  refused_user_message_uuid?: string | null;
  /** A text to show. */
  content: string;
  uuid: UUID;
  session_id: string;
};

/** A text for the notification area. */
export type SDKNotificationMessage = {
  type: 'system';
  subtype: 'notification';
  /** Notifications with the same key say the same; show one of them. */
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
  /** The event as the model API sent it; its `ping` and `error` events are left out. */
  event: StreamEvent;
  /** The call of the tool that the subagent works for; null in the main conversation. */
  parent_tool_use_id: string | null;
  /** Milliseconds until the reply began; only on its first event. */
  ttft_ms?: number;
  /** The `uuid` of the prompt that the turn answers; only on its first reply and its result, and only where the prompt has one. */
  user_message_uuid?: string;
  /** All prompts that the turn has taken so far, in order, at most 64; there whenever `user_message_uuid` is, which is one of them. */
  user_message_uuids?: string[];
  /** Set only where the turn takes up one that a restart of the worker cut; `interrupted_turn` unless the agent was told a reason. */
  resume_reason?: string;
  thinking_display?: string;
  /** The `message.id` of the reply that the event belongs to. */
  api_message_id?: string;
  /** The blocks of a reply that will not come to their end, from this one on. */
  abandoned_blocks?: {
    api_message_id: string;
    from_block_index: number;
  };
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
  /** The subagent that made the call; absent in the main conversation. */
  agent_id?: string;
  /** What the decision rests on; new kinds may come. */
  decision_reason_type?: string;
  /** The reason, for people to read. */
  decision_reason?: string;
  /** The text that the model gets as the result of the call. */
  message: string;
  uuid: UUID;
  session_id: string;
};

/** A rule in words, in three parts. */
export type SDKPermissionRuleDescription = {
  prefix: string;
  /** The part that is to stand out. */
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
  /** The rule as settings have it, such as `Bash(git log *)`. */
  rule: string;
  description?: SDKPermissionRuleDescription;
  /** Whether the rule can be changed for good, for this session, or not at all. */
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
  /** The marketplace that the message is about. */
  name?: string;
  /** A text from outside, not to be trusted. */
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
  /** When the limit starts anew, in seconds since 1970. */
  resetsAt?: number;
  rateLimitType?:
    | 'five_hour'
    | 'seven_day'
    | 'seven_day_opus'
    | 'seven_day_sonnet'
    | 'seven_day_overage_included'
    | 'overage';
  utilization?: number;
  /** Like `status`, for what is used beyond the plan. */
  overageStatus?: 'allowed' | 'allowed_warning' | 'rejected';
  /** Like `resetsAt`, for what is used beyond the limits of the plan. */
  overageResetsAt?: number;
  /** Why nothing may be used beyond the limits of the plan. */
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
  /** Milliseconds by the clock, of this turn alone. */
  duration_ms: number;
  /** Milliseconds spent in calls of the model API, summed up over the process. */
  duration_api_ms: number;
  /** The rounds of the turn: its prompt, and each user message behind it, such as a tool result; 0 where no model was asked. */
  num_turns: number;
  /** US dollars, summed up over the process, or since `/clear`; not those of the turn alone. */
  total_cost_usd: number;
  usage: NonNullableUsage;
  /** The figures of each model by name, summed up over the process; those to keep accounts with. */
  modelUsage: Record<string, ModelUsage>;
  /** All calls of the turn that were not allowed; rely on this list and not on `permission_denied` messages. */
  permission_denials: SDKPermissionDenial[];
  /** Above 0, another turn follows without further input. */
  queued_turn_count?: number;
  /** Absent where a slash command answered the prompt by itself. */
  terminal_reason?: TerminalReason;
  /** Counts the results of the process from 0, so that a gap shows a lost one. */
  result_index?: number;
  /** When the login ends, in ISO 8601; absent where that is not known. */
  credential_expires_at?: string;
  fast_mode_state?: FastModeState;
  /** Absent where nothing keeps fast mode from serving. */
  fast_mode_disabled_reason?: FastModeDisabledReason;
  /** Who the prompt of the turn came from; not known where absent. */
  origin?: SDKMessageOrigin;
  /** The `uuid` of the prompt that the turn answers; only on its first reply and its result, and only where the prompt has one. */
  user_message_uuid?: string;
  /** All prompts that the turn has taken so far, in order, at most 64; there whenever `user_message_uuid` is, which is one of them. */
  user_message_uuids?: string[];
  /** Set only where the turn takes up one that a restart of the worker cut; `interrupted_turn` unless the agent was told a reason. */
  resume_reason?: string;
  safety_stops?: number;
  /** The `message.id` of each reply that the turn began. */
  begun_message_ids?: string[];
  /** How many subagents were asked for, refused and started, and their ends. */
  subagent_stats?: Record<string, unknown>;
  /** Like `modelUsage`, counted from the result before this one. */
  model_usage_since_last_result?: Record<string, ModelUsage>;
  /** True in every result of this kind. */
  is_error: boolean;
  /** The stop reason of the last reply; null where there is none. */
  stop_reason: string | null;
  /** What went wrong, for people to read; an interrupt gives one line. */
  errors: string[];
  /** Present only where the agent refused to start; all figures are then zero. */
  startup_failure_reason?: SDKStartupFailureReason;
  /** Present only with the startup failure `config_file_invalid`. */
  invalid_config_file?: {
    path: string;
    is_global: boolean;
    backup_searched: boolean;
    backup_path?: string;
  };
  uuid: UUID;
  session_id: string;
};

/** The end of a turn that ran through. `is_error` tells an answer of the model from an API error. */
export type SDKResultSuccess = {
  type: 'result';
  subtype: 'success';
  /** Milliseconds by the clock, of this turn alone. */
  duration_ms: number;
  /** Milliseconds spent in calls of the model API, summed up over the process. */
  duration_api_ms: number;
  /** The rounds of the turn: its prompt, and each user message behind it, such as a tool result; 0 where no model was asked. */
  num_turns: number;
  /** US dollars, summed up over the process, or since `/clear`; not those of the turn alone. */
  total_cost_usd: number;
  usage: NonNullableUsage;
  /** The figures of each model by name, summed up over the process; those to keep accounts with. */
  modelUsage: Record<string, ModelUsage>;
  /** All calls of the turn that were not allowed; rely on this list and not on `permission_denied` messages. */
  permission_denials: SDKPermissionDenial[];
  /** Above 0, another turn follows without further input. */
  queued_turn_count?: number;
  /** Absent where a slash command answered the prompt by itself. */
  terminal_reason?: TerminalReason;
  /** Counts the results of the process from 0, so that a gap shows a lost one. */
  result_index?: number;
  /** When the login ends, in ISO 8601; absent where that is not known. */
  credential_expires_at?: string;
  fast_mode_state?: FastModeState;
  /** Absent where nothing keeps fast mode from serving. */
  fast_mode_disabled_reason?: FastModeDisabledReason;
  /** Who the prompt of the turn came from; not known where absent. */
  origin?: SDKMessageOrigin;
  /** The `uuid` of the prompt that the turn answers; only on its first reply and its result, and only where the prompt has one. */
  user_message_uuid?: string;
  /** All prompts that the turn has taken so far, in order, at most 64; there whenever `user_message_uuid` is, which is one of them. */
  user_message_uuids?: string[];
  /** Set only where the turn takes up one that a restart of the worker cut; `interrupted_turn` unless the agent was told a reason. */
  resume_reason?: string;
  safety_stops?: number;
  /** The `message.id` of each reply that the turn began. */
  begun_message_ids?: string[];
  /** How many subagents were asked for, refused and started, and their ends. */
  subagent_stats?: Record<string, unknown>;
  /** Like `modelUsage`, counted from the result before this one. */
  model_usage_since_last_result?: Record<string, ModelUsage>;
  /** Milliseconds from the start of the turn to the first token; may be later than `ttft_stream_ms` where the reply streams. */
  ttft_ms?: number;
  /** Milliseconds from the start of the turn to the first event of the stream of the reply. */
  ttft_stream_ms?: number;
  /** Milliseconds from the start of the turn until the request to the model API left. */
  time_to_request_ms?: number;
  /** The slash command that answered the prompt by itself, such as `clear`. */
  local_command?: string;
  /** When the request to the model API left, in milliseconds since 1970. */
  request_sent_wall_ms?: number;
  /** Milliseconds from the start of the turn to the first content of the reply. */
  first_content_frame_ms?: number;
  /** Only in remote sessions: milliseconds until the first stream event was posted. */
  first_stream_post_ms?: number;
  /** Only in remote sessions: milliseconds until the first event was acknowledged. */
  first_stream_post_ack_ms?: number;
  /** Only in remote sessions: milliseconds that the first event waited to be posted. */
  first_stream_post_queue_wait_ms?: number;
  /** Only in remote sessions: what the post of the first stream event waited for. */
  first_stream_post_queued_behind?: 'durable_post' | 'ephemeral_post' | 'retry_backoff' | 'hold' | 'none';
  first_stream_post_wall_ms?: number;
  /** Only in remote sessions: milliseconds until the first text was posted. */
  first_text_post_ms?: number;
  /** Only in remote sessions: milliseconds that the first text waited to be posted. */
  first_text_post_queue_wait_ms?: number;
  /** Only in remote sessions: what the post of the first text waited for. */
  first_text_post_queued_behind?: 'durable_post' | 'ephemeral_post' | 'retry_backoff' | 'hold' | 'none';
  first_text_post_wall_ms?: number;
  /** Like `time_to_request_ms`, counted from the start of the process. */
  time_to_request_from_spawn_ms?: number;
  /** Whether the process was started ahead of time, before it was needed. */
  warm_spare_claimed?: boolean;
  /** Where the clock begins by which the times of this result are counted. */
  time_origin_ms?: number;
  /** True where the turn ended on an error, such as one of the model API; `result` then holds its text. */
  is_error: boolean;
  /** The HTTP status of the failed call of the model API, such as 429; null or absent where none failed. */
  api_error_status?: number | null;
  /** The last text of the model, or the text of the error where `is_error` is true. */
  result: string;
  /** The stop reason of the last reply, or one of the agent such as `tool_deferred`; null without a reply. */
  stop_reason: string | null;
  /** The answer as a value of the JSON Schema that the host gave; absent where it gave none. */
  structured_output?: unknown;
  /** Present only where `terminal_reason` is `tool_deferred`. */
  deferred_tool_use?: SDKDeferredToolUse;
  /** The failed call of the model API, such as `connection_failed`. */
  api_error?: string;
  /** The kind of failure as the model API names it, such as `invalid_request_error`. */
  api_error_type?: string;
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
  /** True where the message is for the library of the host alone, which does not hand it on. */
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
  /** The code of the operating system: `ENOSPC` for a full disk, `EDQUOT` for a quota that is used up. */
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
  /** `requesting` is told only where the host asked for stream events. */
  status: SDKStatus;
  /** The mode from now on; absent where it stays. */
  permissionMode?: PermissionMode;
  /** Present only where a compaction has ended. */
  compact_result?: 'success' | 'failed';
  /** Why a compaction failed, as a code such as `too_few_groups`. */
  compact_error?: string;
  compact_output_chars?: number;
  /** The `uuid`s of the prompts that the turn answers. */
  user_message_uuids?: string[];
  uuid: UUID;
  session_id: string;
};

/** What the agent runs with. Comes at the start of every turn; the newest one counts. */
export type SDKSystemMessage = {
  type: 'system';
  subtype: 'init';
  /** The kinds of subagents that there are, by name. */
  agents?: string[];
  apiKeySource: ApiKeySource;
  /** The beta headers that go with requests to the model API. */
  betas?: string[];
  /** The version of the agent. */
  claude_code_version: string;
  /** The working directory. */
  cwd: string;
  /** The names of all tools: MCP tools as `mcp__SERVER__TOOL`, the one that starts subagents as `Task`. */
  tools: string[];
  mcp_servers: {
    name: string;
    /** The state of the connection, such as `connected` or `failed`. */
    status: string;
    /** How the agent came by the server, such as `sdk` for one within the host. */
    source?: string;
  }[];
  /** The full name of the model in use, also where the host chose it by an alias. */
  model: string;
  permissionMode: PermissionMode;
  /** The names of all slash commands, without the slash. */
  slash_commands: string[];
  /** Those slash commands that are meant for a terminal. */
  terminal_slash_commands?: string[];
  output_style: string;
  skills: string[];
  plugins: {
    name: string;
    /** The folder of the plugin; `builtin` for one that comes with the agent. */
    path: string;
    version?: string;
    source?: string;
  }[];
  /** What went wrong as plugins were loaded; absent where nothing did. */
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
  /** Absent where nothing keeps fast mode from serving. */
  fast_mode_disabled_reason?: FastModeDisabledReason;
  /** The effort that is asked of the model for the next message, null where none is; only in remote sessions. */
  effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | null;
  view_mode?: 'focus' | 'default';
  /** Names of what this agent can do, such as `interrupt_receipt_v1`; go by them and not by its version. */
  capabilities?: string[];
  analytics_disabled?: boolean;
  product_feedback_disabled?: boolean;
  /** The folders in which the agent keeps its memory, by kind. */
  memory_paths?: Record<string, unknown>;
  original_cwd?: string;
  additional_directories?: string[];
  messaging_socket_path?: string;
  per_turn_effort_active?: boolean;
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
  /** The same in all messages about the task; that of a subagent is its `agent_id` too. */
  task_id: string;
  /** One run of the task: taken up again, a task keeps its `task_id` and gets a `run_id` that sorts behind the ones before. */
  run_id?: string;
  /** The tool call that the task belongs to. */
  tool_use_id?: string;
  /** A task that is `stopped` here is `killed` in `task_updated`. */
  status: 'completed' | 'failed' | 'stopped';
  /** Present only where a restart of the worker ended the task. */
  reason?: 'worker_restart';
  /** The path of the file that holds the output; empty where there is none. */
  output_file: string;
  /** What came of the task, in words. */
  summary: string;
  summary_is_report?: boolean;
  usage?: {
    total_tokens: number;
    tool_uses: number;
    duration_ms: number;
  };
  /** The files that an MCP task in the background gave, at most 50. */
  resource_links?: SDKMcpResourceLink[];
  /** True where the task is not to be shown within the conversation. */
  skip_transcript?: boolean;
  /** True where the task is no sign of activity: show no session as busy because of it. */
  ambient?: boolean;
  uuid: UUID;
  session_id: string;
};

/** How far a task is. */
export type SDKTaskProgressMessage = {
  type: 'system';
  subtype: 'task_progress';
  /** The same in all messages about the task; that of a subagent is its `agent_id` too. */
  task_id: string;
  /** One run of the task: taken up again, a task keeps its `task_id` and gets a `run_id` that sorts behind the ones before. */
  run_id?: string;
  /** The tool call that the task belongs to. */
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
  /** One line on how far the task is, to show where it is present. */
  summary?: string;
  uuid: UUID;
  session_id: string;
};

/** A subagent, background shell, monitor or workflow was registered. */
export type SDKTaskStartedMessage = {
  type: 'system';
  subtype: 'task_started';
  /** The same in all messages about the task; that of a subagent is its `agent_id` too. */
  task_id: string;
  /** One run of the task: taken up again, a task keeps its `task_id` and gets a `run_id` that sorts behind the ones before. */
  run_id?: string;
  /** The tool call that the task belongs to. */
  tool_use_id?: string;
  description: string;
  /** The kind of the subagent, such as `general-purpose`. */
  subagent_type?: string;
  /** True where the task runs in the background from its start. */
  is_backgrounded?: boolean;
  /** 1 for a subagent of the main conversation, 2 for a subagent of that one, and so on. */
  spawn_depth?: number;
  /** The task of the subagent that started this one. */
  parent_task_id?: string;
  /** Such as `local_agent`, `local_bash`, `local_workflow` or `mcp_task`; new kinds may come. */
  task_type?: string;
  /** Present only where the task is a workflow. */
  workflow_name?: string;
  /** What the run was asked to do. */
  prompt?: string;
  /** True where the task is not to be shown within the conversation. */
  skip_transcript?: boolean;
  /** True where the task is no sign of activity: show no session as busy because of it. */
  ambient?: boolean;
  uuid: UUID;
  session_id: string;
};

/** Members of a task changed; its end may be told nowhere else. */
export type SDKTaskUpdatedMessage = {
  type: 'system';
  subtype: 'task_updated';
  /** The same in all messages about the task; that of a subagent is its `agent_id` too. */
  task_id: string;
  /** One run of the task: taken up again, a task keeps its `task_id` and gets a `run_id` that sorts behind the ones before. */
  run_id?: string;
  patch: {
    /** A task that is `killed` here is `stopped` in its `task_notification`. */
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

/** How much was thought so far, while the text of it is withheld. */
export type SDKThinkingTokensMessage = {
  type: 'system';
  subtype: 'thinking_tokens';
  /** The estimate for the thinking block so far. */
  estimated_tokens: number;
  /** What the estimate has grown by since the message before. */
  estimated_tokens_delta: number;
  /** The `uuid` of the prompt that the turn answers. */
  user_message_uuid?: string;
  uuid: UUID;
  session_id: string;
};

/** A tool is still running; also a sign of life while a hook of the host is awaited. */
export type SDKToolProgressMessage = {
  type: 'tool_progress';
  /** The call of the tool; in a heartbeat sent while a hook is awaited, an id that no call has. */
  tool_use_id: string;
  tool_name: string;
  /** The call of the tool that the subagent works for, or the one whose hook is awaited; null in the main conversation. */
  parent_tool_use_id: string | null;
  elapsed_time_seconds: number;
  /** Set where the tool runs as a task. */
  task_id?: string;
  /** True for a mere sign of life, as while a hook of the host is awaited. */
  heartbeat?: boolean;
  /** The kind of the subagent, such as `general-purpose`. */
  subagent_type?: string;
  /** Present while a subagent waits to try a failed call of the model API again. */
  subagent_retry?: {
    /** The subagent that waits. */
    agent_id: string;
    attempt: number;
    max_retries: number;
    /** Milliseconds from the failure to the next try. */
    retry_delay_ms: number;
    /** The HTTP status of the failure; null where there was no response. */
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
  /** The calls that the summary is about. */
  preceding_tool_use_ids: string[];
  uuid: UUID;
  session_id: string;
};

/** Entries for a session store of the host. Seen, not declared; carries neither `uuid` nor `session_id`. */
export type SDKTranscriptMirrorMessage = {
  type: 'transcript_mirror';
  /** The path of the session file; hosts take the key in their store from it. */
  filePath: string;
  /** What is appended to that file, in its order. */
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
  /** Values by name; the published agent takes few names, and drops all others without a word. */
  variables: Record<string, string>;
};

/** What the session cost, and how near the plan limits are. */
export type SDKUsageReport = {
  session: {
    total_cost_usd: number;
    /** Milliseconds spent in calls of the model API. */
    total_api_duration_ms: number;
    total_duration_ms: number;
    total_lines_added: number;
    total_lines_removed: number;
    /** The figures of each model, by its name. */
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
  /** The call of the tool that the subagent works for; null in a prompt and in the main conversation. */
  parent_tool_use_id: string | null;
  /** True for a text that no person typed, such as what a hook has to say. */
  isSynthetic?: boolean;
  /** All that the tool gave, for a host to show: a text, or an object whose shape depends on the tool. */
  tool_use_result?: unknown;
  /** With `now` the running turn is cut and the prompt runs next; without it, behind the prompts that wait. */
  priority?: 'now' | 'next' | 'later';
  /** Who the text comes from, not known where absent; an ordinary host may claim no more than `human`. */
  origin?: SDKMessageOrigin;
  /** False adds the text to the conversation without a turn; a result with `num_turns` 0 confirms it. */
  shouldQuery?: boolean;
  /** When the message was made, in ISO 8601: a time to show, never one to order by. */
  timestamp?: string;
  /** The text is meant as it stands: no `@path` in it is expanded, and no slash command is run. */
  client_composed?: true;
  tool_result_meta?: ToolResultMeta[];
  /** In a prompt the host chooses it: one seen before is not run again, and the agent names the prompt by it. */
  uuid?: UUID;
  /** Of no effect in a prompt, where hosts write an empty text or leave it out. */
  session_id?: string;
  /** Pasted texts and blocks that are put behind the typed text; all ignored where they are more than 1000. */
  pasted_content?: PromptContent[];
  /** The pasted texts that `message` itself holds; at most 100 are looked at. */
  inline_pastes?: string[];
  /** The subagent that made the message, by the `task_id` of its task; absent in the main conversation. */
  agent_id?: string;
  /** The kind of the subagent, such as `general-purpose`. */
  subagent_type?: string;
  /** The description with which the task of the subagent was given to it. */
  task_description?: string;
};

/** The echo of a prompt the agent took. */
export type SDKUserMessageReplay = {
  type: 'user';
  message: MessageParam;
  /** The call of the tool that the subagent works for; null in the main conversation. */
  parent_tool_use_id: string | null;
  /** True for a text that no person typed, such as what a hook has to say. */
  isSynthetic?: boolean;
  /** All that the tool gave, for a host to show: a text, or an object whose shape depends on the tool. */
  tool_use_result?: unknown;
  /** With `now` the running turn is cut and the prompt runs next; without it, behind the prompts that wait. */
  priority?: 'now' | 'next' | 'later';
  /** Who the text comes from, not known where absent; an ordinary host may claim no more than `human`. */
  origin?: SDKMessageOrigin;
  /** False adds the text to the conversation without a turn; a result with `num_turns` 0 confirms it. */
  shouldQuery?: boolean;
  /** When the message was made, in ISO 8601: a time to show, never one to order by. */
  timestamp?: string;
  /** The text is meant as it stands: no `@path` in it is expanded, and no slash command is run. */
  client_composed?: true;
  tool_result_meta?: ToolResultMeta[];
  /** Tells the echo of a prompt from the other `user` messages. */
  isReplay: true;
  /** The attached files, as a remote session has found them. */
  file_attachments?: unknown[];
  uuid: UUID;
  session_id: string;
};

/** A remote worker leaves in good order. That none came proves nothing. */
export type SDKWorkerShuttingDownMessage = {
  type: 'system';
  subtype: 'worker_shutting_down';
  /** Why the worker leaves, as a code in `snake_case`. */
  reason: string;
  uuid: UUID;
  session_id: string;
};

/** A plugin as a host names it. */
export type SdkPluginConfig = {
  type: 'local';
  /** The folder of the plugin. */
  path: string;
  /** With true the MCP servers of the plugin are left out. */
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
  /** What the tool gave, or an object that tells of its failure. */
  content: unknown;
};

/** A call of a tool that the model API ran itself. */
export type ServerToolUseBlock = {
  type: 'server_tool_use';
  /** The `tool_use_id` of the result that answers the call. */
  id: string;
  name: string;
  /** An object as a rule, but the model writes it. */
  input: unknown;
  /** What made the call: the model itself, or code that the model API ran for it. */
  caller?: unknown;
  toolset_name?: string | null;
};

/** A prompt that comes back on a schedule. */
export type SessionCronSummary = {
  id: string;
  schedule: string;
  /** Whether it comes again and again, or once. */
  recurring: boolean;
  prompt: string;
};

/** A session ends. */
export type SessionEndHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  /** A matcher is compared with it. */
  reason: ExitReason;
  hook_event_name: 'SessionEnd';
};

/** A session begins, or begins again. */
export type SessionStartHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The agent that `--agent` chose; absent without one. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  /** Whether it is new, is resumed, is a copy, or goes on behind `/clear` or a compaction; a matcher is compared with it. */
  source: 'startup' | 'resume' | 'clear' | 'compact' | 'fork';
  model?: string;
  /** The title that the session has, where it has one. */
  session_title?: string;
  seconds_since_last_response?: number;
  /** How many tokens of context the session begins with. */
  context_tokens?: number;
  /** Whether the prompt cache has probably lost the conversation. */
  prompt_cache_likely_expired?: boolean;
  /** What it costs to write the conversation to the prompt cache anew, in US dollars, as an estimate. */
  estimated_cache_write_usd?: number;
  hook_event_name: 'SessionStart';
};

/** What a hook of `SessionStart` may answer beside the common members. */
export type SessionStartHookSpecificOutput = {
  hookEventName: 'SessionStart';
  /** Text that the model is given at the beginning of the conversation. */
  additionalContext?: string;
  initialUserMessage?: string;
  /** A title for the session. */
  sessionTitle?: string;
  /** Absolute paths to watch: hooks of `FileChanged` are called when one of them changes. */
  watchPaths?: string[];
  reloadSkills?: boolean;
};

/** One entry of a transcript file, passed on as it is. */
export type SessionStoreEntry = {
  /** The kind of the entry, such as `user`, `assistant` or `attachment`. */
  type: string;
  /** By this a later entry names the one it follows; entries that are mere bookkeeping have none. */
  uuid?: string;
  /** When the entry was made, in ISO 8601. */
  timestamp?: string;
};

/** The agent is being set up, before a session begins. */
export type SetupHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  /** Which flag asks for it, `--init` or `--maintenance`; a matcher is compared with it. */
  trigger: 'init' | 'maintenance';
  hook_event_name: 'Setup';
};

/** What a hook of `Setup` may answer beside the common members. */
export type SetupHookSpecificOutput = {
  hookEventName: 'Setup';
  /** Text that the model is given at the beginning of the conversation. */
  additionalContext?: string;
};

/** A slash command that can be typed in a prompt. */
export type SlashCommand = {
  /** The name without the slash that it is typed with. */
  name: string;
  description: string;
  /** What may follow the name, as a hint to show; may be empty. */
  argumentHint: string;
  /** Further names of the same command. */
  aliases?: string[];
  /** True for a command that comes with the agent. */
  builtin?: boolean;
};

/** A turn ended with an error of the model service. */
export type StopFailureHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  /** Which kind of error; a matcher is compared with it. */
  error: SDKAssistantMessageError;
  /** What else is known of the error, such as `429 Too Many Requests`. */
  error_details?: string;
  /** The error as the conversation shows it, where other hooks have the reply of the model. */
  last_assistant_message?: string;
  hook_event_name: 'StopFailure';
};

/** The agent is about to end its turn. */
export type StopHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  /** True where the turn goes on only because such a hook did not let it end: one that always blocks would never let it. */
  stop_hook_active: boolean;
  /** The text of the last reply. */
  last_assistant_message?: string;
  background_tasks?: BackgroundTaskSummary[];
  session_crons?: SessionCronSummary[];
  hook_event_name: 'Stop';
};

/** What a hook of `Stop` may answer beside the common members. */
export type StopHookSpecificOutput = {
  hookEventName: 'Stop';
  /** Text that the model is given, with which the turn goes on. */
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
      /** The reply with no content yet, and with the first count of its tokens. */
      message: ApiMessage;
    }
  | {
      type: 'content_block_start';
      /** The place of the block in the reply, counted from 0; ties the events of one block together. */
      index: number;
      /** The block without what its deltas will bring. */
      content_block: ContentBlock;
    }
  | {
      type: 'content_block_delta';
      /** The place of the block in the reply, counted from 0; ties the events of one block together. */
      index: number;
      delta: StreamEventDelta;
    }
  | {
      type: 'content_block_stop';
      /** The place of the block in the reply, counted from 0; ties the events of one block together. */
      index: number;
    }
  | {
      type: 'message_delta';
      delta: {
        stop_reason: StopReason | null;
        stop_sequence: string | null;
        /** What the model API tells of a refusal. */
        stop_details?: unknown;
        /** The container in which the model API ran code for this reply. */
        container?: unknown;
      };
      usage: ApiUsageDelta;
      /** What the model API did to the context of its request to keep it small. */
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
      /** A piece of the input of a tool call: all pieces of a block, joined, are the JSON of it. */
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
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent; its `task_id` is the same. */
  agent_id: string;
  /** Which kind of subagent, such as `Explore`; a matcher is compared with it. */
  agent_type: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  hook_event_name: 'SubagentStart';
};

/** What a hook of `SubagentStart` may answer beside the common members. */
export type SubagentStartHookSpecificOutput = {
  hookEventName: 'SubagentStart';
  /** Text that the subagent is given at the beginning of its conversation. */
  additionalContext?: string;
};

/** A subagent is about to end. */
export type SubagentStopHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent; its `task_id` is the same. */
  agent_id: string;
  /** Which kind of subagent, such as `Explore`; a matcher is compared with it. */
  agent_type: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  /** True where the subagent goes on only because such a hook did not let it end. */
  stop_hook_active: boolean;
  /** The file that keeps the conversation of the subagent; that of the session is `transcript_path`. */
  agent_transcript_path: string;
  /** The text of the last reply of the subagent. */
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
  /** False ends the turn, whatever else the answer says; true where it is absent. */
  continue?: boolean;
  /** With true the output of the hook stays out of the debug log. */
  suppressOutput?: boolean;
  /** What the user is told where `continue` is false. */
  stopReason?: string;
  /** `block` forbids what the hook was called for; for tool calls both are the older form of `permissionDecision`. */
  decision?: 'approve' | 'block';
  /** A warning for the user. */
  systemMessage?: string;
  terminalSequence?: string;
  /** Why it is blocked, for the user or for the model, as the event has it. */
  reason?: string;
  /** What only hooks of this event may answer; it names the event. */
  hookSpecificOutput?: HookSpecificOutput;
};

/** A task is about to be completed. */
export type TaskCompletedHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  task_id: string;
  /** The title of the task. */
  task_subject: string;
  task_description?: string;
  /** Deprecated. */
  team_name?: string;
  /** Who completes it, where that is a teammate. */
  teammate_name?: string;
  hook_event_name: 'TaskCompleted';
};

/** A task is about to be created. */
export type TaskCreatedHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  task_id: string;
  /** The title of the task. */
  task_subject: string;
  task_description?: string;
  /** Deprecated. */
  team_name?: string;
  /** Who creates it, where that is a teammate. */
  teammate_name?: string;
  hook_event_name: 'TaskCreated';
};

/** A teammate has nothing to do. */
export type TeammateIdleHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  teammate_name: string;
  /** Deprecated. */
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
  /** The passages that the text cites, as the model API tells them. */
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
  /** True where the tool failed or was not allowed to run; a success may leave it out. */
  is_error?: boolean;
};

/** How it came that a tool ran or did not. Seen, not declared. */
export type ToolResultMeta = {
  /** The `tool_use_id` of the tool result that this is about. */
  id: string;
  /** Who kept the tool from running: a rule, or the user. */
  non_execution_kind?: 'permission-rule' | 'user-rejected';
  permission_decision?: {
    decision: 'accept' | 'reject';
    /** Who decided: the configuration, a hook, or the user, for this call only or for good. */
    source: 'user_temporary' | 'user_permanent' | 'user_reject' | 'hook' | 'config';
    /** What the decision rests on, such as `rule` or `mode`. */
    reason_type?: string;
  };
};

/** A call of a tool that the agent runs. */
export type ToolUseBlock = {
  type: 'tool_use';
  /** The `tool_use_id` of the result that answers the call. */
  id: string;
  name: string;
  /** An object as a rule, but the model writes it. */
  input: unknown;
  /** What made the call: the model itself, or code that the model API ran for it. */
  caller?: unknown;
  toolset_name?: string | null;
};

/** What became of a dialog. */
export type UserDialogResult =
  | {
      behavior: 'completed';
      /** What the user did in the dialog; the shape depends on its kind. */
      result: unknown;
    }
  | {
      behavior: 'cancelled';
    };

/** A command is about to become the prompt it stands for. */
export type UserPromptExpansionHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  /** `slash_command` for commands and skills, `mcp_prompt` for prompts of an MCP server. */
  expansion_type: 'slash_command' | 'mcp_prompt';
  /** The name without its slash. */
  command_name: string;
  /** What stands behind the name. */
  command_args: string;
  /** Where the command comes from, such as `plugin`. */
  command_source?: string;
  /** What was typed, as it was. */
  prompt: string;
  hook_event_name: 'UserPromptExpansion';
};

/** What a hook of `UserPromptExpansion` may answer beside the common members. */
export type UserPromptExpansionHookSpecificOutput = {
  hookEventName: 'UserPromptExpansion';
  /** Text that the model is given along with the prompt. */
  additionalContext?: string;
  suppressOriginalPrompt?: boolean;
};

/** A prompt is about to be taken. */
export type UserPromptSubmitHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  prompt: string;
  /** Who or what made the prompt. */
  source?: 'user' | 'sdk' | 'system' | 'loop_wakeup' | 'schedule_wakeup' | 'poll_event';
  /** The title that the session has, where it has one. */
  session_title?: string;
  hook_event_name: 'UserPromptSubmit';
};

/** What a hook of `UserPromptSubmit` may answer beside the common members. */
export type UserPromptSubmitHookSpecificOutput = {
  hookEventName: 'UserPromptSubmit';
  /** Text that the model is given along with the prompt. */
  additionalContext?: string;
  /** A new title for the session. */
  sessionTitle?: string;
  suppressOriginalPrompt?: boolean;
};

/** A worktree is wanted; the hook makes it and answers with its path. */
export type WorktreeCreateHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  /** A short name for the worktree, given by the user or made up. */
  name: string;
  hook_event_name: 'WorktreeCreate';
};

/** What a hook of `WorktreeCreate` may answer beside the common members. */
export type WorktreeCreateHookSpecificOutput = {
  hookEventName: 'WorktreeCreate';
  /** The absolute path of the worktree that the hook has made. */
  worktreePath: string;
};

/** A worktree is no longer wanted. */
export type WorktreeRemoveHookInput = {
  session_id: string;
  /** The file that keeps the conversation, one JSON object a line. */
  transcript_path: string;
  /** The working directory of the agent at that moment. */
  cwd: string;
  /** The same for all hooks that one prompt leads to. */
  prompt_id?: string;
  /** How much the agent may do without asking at that moment; some events come without it. */
  permission_mode?: string;
  /** The subagent within which the event happens; absent in the main conversation. */
  agent_id?: string;
  /** The name of the agent: that of the subagent, else the one `--agent` chose; absent without either. */
  agent_type?: string;
  /** How hard the model tries, such as `medium`. */
  effort?: {
    level: string;
  };
  /** The absolute path of the worktree. */
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
