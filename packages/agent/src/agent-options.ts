import type { OutboundStage, SessionOptions } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import type { WorkerTransport } from '@proto/core/transport';
import type { PermissionPromptToolOptions } from './permissions/permission-prompt-tool.ts';
import type { PermissionRequestsOptions } from './permissions/permission-requests.ts';
import type { OwnPermissionHooks, PermissionRules } from './permissions/permission-rules.ts';
import type { PromptContent } from './prompts/prompt.ts';
import type { SessionMirrorOptions, SessionTitle } from './transcript/session-mirror.ts';
import type { ToolDefinition } from './mcp/host-mcp-server.ts';
import type { RunTurn } from './turns/turn.ts';

/** The state of a login, as reported in `auth_status` messages. */
export interface AuthStatus {
  /** True while the login is in progress. */
  readonly isAuthenticating: boolean;
  /** Lines of text for the user about the progress of the login. */
  readonly output: readonly string[];
  /** Why the login failed. Absent if the login has not failed. */
  readonly error?: string;
}

/** Stores the data that a session keeps after its process ends: the ids of accepted prompts, and the conversation. */
export interface SessionStore {
  /** Whether a prompt with this `uuid` was accepted before. If the store survives restarts, each prompt runs only once. */
  has(uuid: string): boolean;
  /** Adds the `uuid` of a prompt that was accepted. */
  add(uuid: string): void;
  /**
   * Stores a message of the conversation. The message has a `uuid`. Called for each message before any later message is sent. If the function throws,
   * the turn fails.
   */
  append?(message: WireMessage): void;
  /** Stores a message of a subagent. `agentID` is the `parent_tool_use_id` of the subagent. */
  appendSubagent?(message: WireMessage, agentID: string): void;
  /**
   * Stores the title of the session. Called for each new title. The latest title replaces all earlier titles. If the function throws, the host's
   * request is refused.
   */
  setTitle?(title: SessionTitle): void;
}

/** The details of a message that a debug log may contain. */
export interface AgentDiagnostic {
  /** The `type` of the message, such as `user` or `control_response`. */
  readonly type: string;
  /**
   * Why the message is dropped: `duplicate` for a prompt that was accepted before or a second answer for the same tool call, `late` for an answer to
   * a request that was already answered or cancelled. Absent if the message is processed.
   */
  readonly dropped?: 'duplicate' | 'late';
}

/** The result of a change of MCP servers, as reported in the answer to `mcp_set_servers`. */
export interface McpServersChange {
  /** The names of the servers that were added. Default: none. */
  readonly added?: readonly string[];
  /** The names of the servers that were removed. Default: none. */
  readonly removed?: readonly string[];
  /** An error text for each server that failed, by the name of the server. Default: no errors. */
  readonly errors?: Readonly<Record<string, string>>;
}

/** The functions and data that the owner of an agent can use while the agent runs. */
export interface AgentHandle {
  /** The `session_id` of this session's messages: the option `session.id`, or a new UUID. */
  readonly sessionId: string;
  /**
   * Fulfils with the state that an earlier worker of this session saved. Fulfils with `null` if nothing was saved, or if the transport has no worker
   * link.
   */
  readonly restoredWorkerState: Promise<Readonly<Record<string, unknown>> | null>;
  /** The link of a worker to the server of a remote session. Undefined on any other transport. */
  readonly worker: WorkerTransport['worker'] | undefined;
  /** Gives the agent a prompt that runs before all prompts that are waiting or have not been read yet. */
  prepend(content: PromptContent): void;
  /**
   * Answers an open question in place of the host, and cancels the question on the host's side. Returns `false` if no open question matches the
   * answer.
   */
  answer(response: WireMessage): boolean;
}

/** The session, and the data that it stores. */
export interface AgentSessionOptions {
  /** The id of the session, sent as the `session_id` of each message. Default: a new UUID. */
  readonly id?: string;
  /** The store of the session. Default: the session is kept in memory until it ends. */
  readonly store?: SessionStore;
  /** Sends the transcript in `transcript_mirror` messages to a host that stores sessions itself. Default: no such messages. */
  readonly mirror?: SessionMirrorOptions;
  /** The conversation that the session resumes. Default: a new conversation. */
  readonly history?: readonly WireMessage[];
  /** The messages of the subagents of the resumed conversation, by the `parent_tool_use_id` of each subagent. Default: none. */
  readonly subagentHistory?: ReadonlyMap<string, readonly WireMessage[]>;
  /**
   * Returns a title for the session. `description` describes the session, for example by its first prompt. Return `null` to leave the session without
   * a title for now. Default: the first line of the description, up to 60 characters.
   */
  readonly generateTitle?: (
    description: string,
    context: { readonly signal: AbortSignal },
  ) => string | null | Promise<string | null>;
}

/** The options that determine who decides on tool calls: first the agent's rules, then hooks, then the host or a tool. */
export interface AgentPermissionOptions
  extends PermissionRules,
    Partial<Pick<PermissionPromptToolOptions, 'findPromptTool'>>,
    Pick<PermissionRequestsOptions, 'onRequestSent' | 'onRequestResolved'> {
  /** The initial permission mode of the session. `system/init` reports it, and the host may change it. Default `default`. */
  readonly mode?: string;
  /**
   * Who is asked for permissions. With `stdio`, the host is asked. Any other value is the name of an MCP tool to call, which is then left out of the
   * tools of a turn. Default: nobody is asked, and a call that needs permission is denied.
   */
  readonly promptTool?: string | undefined;
  /** Overrides `promptTool`. With `host`, the host is asked. With `none`, nobody is asked. Default: `promptTool` decides. */
  readonly prompts?: 'host' | 'none' | undefined;
  /** Runs the agent's own hooks that may answer in place of the host. Returns `undefined` if no hook decides. Default: no hooks. */
  readonly hooks?: OwnPermissionHooks;
  /** Called when the host changes the permission mode. If the callback throws, the change is refused. */
  readonly onModeChange?: (mode: string) => void | Promise<void>;
}

/** The MCP servers of the host and of the agent. */
export interface AgentMcpOptions {
  /** Names of MCP servers that run in the host and are announced on the command line: the servers of type `sdk` in `--mcp-config`. Default: none. */
  readonly sdkServers?: readonly string[];
  /** Whether the agent may use the host's MCP servers. Default true. */
  readonly allowHostServers?: boolean;
  /** Returns the states of the agent's own MCP servers. Default: no servers. */
  readonly status?: () => readonly unknown[] | Promise<readonly unknown[]>;
  /**
   * Called with MCP servers by name, when the host replaces the servers that it set before, and for the `mcpServers` of `initialize`. Servers that
   * run in the host are left out. Default: every server is refused.
   */
  readonly onSetServers?: (servers: Readonly<Record<string, unknown>>) => McpServersChange | Promise<McpServersChange>;
  /** Called with each message from an MCP server of the host, even if the agent does not know this server. */
  readonly onMessage?: (serverName: string, message: unknown) => void;
  /**
   * Called when the host limits the tools of one MCP server. The limit applies to calls that the session's permission mode would allow. With
   * `default`, the user is asked about each call. With `auto`, the agent checks each call. `null` removes the limit. Default: the request is refused.
   */
  readonly onPermissionModeChange?: (serverName: string, mode: 'default' | 'auto' | null) => void;
}

/** The models of the agent. */
export interface AgentModelOptions {
  /** The initial model of the session. `system/init` reports it, and the host may change it. Default `default`. */
  readonly initial?: string;
  /** The model that `set_model` selects for the value `default`, unless `onChange` returns another model. Default: `initial`. */
  readonly default?: string;
  /**
   * Called when the host changes the model. `undefined` means the default model. Must return the resolved id. If the callback throws, the change is
   * refused.
   */
  readonly onChange?: (model: string | undefined) => string | Promise<string>;
  /** Called when the host changes the limit of thinking tokens: `null` means the default, `undefined` means no change. */
  readonly onThinkingChange?: (maxTokens: number | null | undefined) => void | Promise<void>;
}

/** Which messages the agent sends in addition to its usual messages, and how it sends them. */
export interface AgentOutputOptions {
  /** Whether `stream_event` messages are sent to the host. Default false. */
  readonly partialMessages?: boolean;
  /** Whether the agent echoes the host's successful answers, and each prompt with a `uuid` when the prompt's turn begins. Default false. */
  readonly replayUserMessages?: boolean;
  /**
   * Who receives a `session_state_changed` message when the session starts to run and when it becomes idle. With `all`, every client receives these
   * messages. With `host-only`, they are marked as meant for the host program. Default: no such messages.
   */
  readonly stateEvents?: 'all' | 'host-only';
  /** The states of a login. Each state is sent as an `auth_status` message. The source is closed when the session ends. Default: no such messages. */
  readonly authStatus?: AsyncIterable<AuthStatus> | undefined;
  /** A stage that processes messages before the outbound queue, such as `coalesceStreamEvents()`, which joins increments. Default: no stage. */
  readonly stage?: OutboundStage;
}

/** The environment variables that the host may refresh. */
export interface AgentEnvironmentOptions {
  /** The names of the variables that are passed to `onChange`. Default: `CLAUDE_CODE_SESSION_ACCESS_TOKEN`. */
  readonly names?: readonly string[];
  /**
   * Called with variables that the host refreshes, but only with variables that are listed in `names` and have a string value. Default: refreshed
   * variables are ignored.
   */
  readonly onChange?: (variables: Readonly<Record<string, string>>) => void;
}

/** The options of `runAgent`. Only `runTurn` is required. */
export interface AgentOptions {
  /** Runs one turn. This function is the implementation of the agent. */
  readonly runTurn: RunTurn;
  /** Returns the tools of the agent. Called for each turn. Default: no tools. */
  readonly tools?: () => readonly ToolDefinition[];
  /** The id of the session, its store, and the conversation that it resumes. */
  readonly session?: AgentSessionOptions;
  /** Who decides on tool calls. Default: a call that needs permission is denied. */
  readonly permissions?: AgentPermissionOptions;
  /** The MCP servers of the host and of the agent. */
  readonly mcp?: AgentMcpOptions;
  /** The models of the agent. */
  readonly models?: AgentModelOptions;
  /** Which messages the agent sends in addition to its usual messages. */
  readonly output?: AgentOutputOptions;
  /** The environment variables that the host may refresh. */
  readonly environment?: AgentEnvironmentOptions;
  /** Returns members for the `system/init` message. These members replace the defaults. Called for each turn. */
  readonly initMessage?: () => Readonly<Record<string, unknown>>;
  /**
   * Returns members for the answer to `initialize`, such as slash commands and models. These members replace the defaults. `request` is the request
   * that the host sent.
   */
  readonly initializeResponse?: (request: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Returns members for the input of a hook, such as `cwd` and `transcript_path`. These members replace the defaults. Called for each hook. */
  readonly hookDefaults?: () => Readonly<Record<string, unknown>>;
  /** Further control requests to serve, by subtype. */
  readonly handlers?: NonNullable<SessionOptions['handlers']>;
  /**
   * Checks each message from the host. The agent uses the message that the check returns, and ignores a message with issues.
   * `messageValidator({ direction: 'from-host' })` of `@proto/core/messages` creates such a check. Default: every message is used unchanged.
   */
  readonly validate?: NonNullable<SessionOptions['validate']>;
  /**
   * When this signal aborts, the running turn is interrupted, waiting prompts are cancelled, and the session ends in the same way as at the end of
   * the input. `runAgent` then fulfils. Use this option to stop the agent when the process receives a signal such as SIGTERM.
   */
  readonly stopSignal?: AbortSignal;
  /** Called once, before any message is read. */
  readonly onStart?: (agent: AgentHandle) => void;
  /**
   * Called when the host changes settings. Settings with the source `flagSettings` override the command line. Settings with any other source must be
   * stored permanently. If the callback throws, the change is refused.
   */
  readonly onSettings?: (settings: Readonly<Record<string, unknown>>, source: string) => void | Promise<void>;
  /** Restores files to their state at a prompt. Default: the request is refused. */
  readonly onRewindFiles?: (request: Readonly<Record<string, unknown>>) => unknown;
  /**
   * Called with an answer to a request that this agent never sent, such as a request from before a restart. The callback may add a prompt with the
   * handle's `prepend`. The next such answer, and the end of the session, wait for the returned promise. If the callback throws, the error becomes an
   * uncaught exception.
   */
  readonly onUnexpectedResponse?: (response: WireMessage) => void | Promise<void>;
  /** Called with the type, but not the content, of each message that is read. Called again if the message is dropped. */
  readonly onMessageType?: (event: AgentDiagnostic) => void;
}

/** The default of `environment.names`: the variable that contains the token of a remote session, as in published agents. */
export const DEFAULT_ENVIRONMENT_NAMES: readonly string[] = ['CLAUDE_CODE_SESSION_ACCESS_TOKEN'];

/** How the agent ended. */
export interface AgentOutcome {
  /** Whether the last result was an error. `false` if no turn produced a result. The executable of an agent exits with 1 after an error. */
  readonly isError: boolean;
}
