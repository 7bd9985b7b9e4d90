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

/** A state of a login, as `auth_status` messages carry it. */
export interface AuthStatus {
  /** True while the login is in progress. */
  readonly isAuthenticating: boolean;
  /** Lines of text for the user about the progress of the login. */
  readonly output: readonly string[];
  /** Why the login failed; absent without a failure. */
  readonly error?: string;
}

/** Stores what a session keeps after its process ends: the ids of the prompts that were taken, and the conversation. */
export interface SessionStore {
  /** Whether a prompt with this `uuid` was taken before. A store that survives restarts makes each prompt run once only. */
  has(uuid: string): boolean;
  /** Adds the `uuid` of a prompt that was taken. */
  add(uuid: string): void;
  /** Takes each message of the conversation, with a `uuid`, before any later message is sent. An error that it throws fails the turn. */
  append?(message: WireMessage): void;
  /** Takes a message of a subagent. `agentID` is the `parent_tool_use_id` of the subagent. */
  appendSubagent?(message: WireMessage, agentID: string): void;
  /** Stores the title of the session. Called for each new title; the last one counts. An error that it throws refuses the request of the host. */
  setTitle?(title: SessionTitle): void;
}

/** What a debug log may contain about a message. */
export interface AgentDiagnostic {
  /** The `type` of the message, such as `user` or `control_response`. */
  readonly type: string;
  /**
   * Why the message is dropped. `duplicate`: a prompt that was taken before, or a second answer for one tool call. `late`: an answer to a
   * request that was answered or cancelled before. Absent when the message is read.
   */
  readonly dropped?: 'duplicate' | 'late';
}

/** The result of a change of MCP servers, as the answer to `mcp_set_servers` has it. */
export interface McpServersChange {
  /** The names of the servers that were added. Default: none. */
  readonly added?: readonly string[];
  /** The names of the servers that were removed. Default: none. */
  readonly removed?: readonly string[];
  /** An error text for each server that failed, by the name of the server. Default: no errors. */
  readonly errors?: Readonly<Record<string, string>>;
}

/** What the owner of an agent can do while the agent runs. */
export interface AgentHandle {
  /** The `session_id` of the messages of this session: the option `session.id`, or a new UUID. */
  readonly sessionId: string;
  /** Fulfils with the state that an earlier worker of this session left. Null without such a state, or if the transport has no worker link. */
  readonly restoredWorkerState: Promise<Readonly<Record<string, unknown>> | null>;
  /** The link of a worker to the server of a remote session; undefined on any other transport. */
  readonly worker: WorkerTransport['worker'] | undefined;
  /** Gives the agent a prompt, which runs before all prompts that wait or are not read yet. */
  prepend(content: PromptContent): void;
  /** Answers an open question in place of the host, and cancels the question at the host. Returns false if no open question matches the answer. */
  answer(response: WireMessage): boolean;
}

/** The session, and what it keeps. */
export interface AgentSessionOptions {
  /** The id of the session, which each message has as its `session_id`. Default: a new UUID. */
  readonly id?: string;
  /** Where the session is stored. Default: in memory, until the session ends. */
  readonly store?: SessionStore;
  /** Sends the transcript to a host that stores sessions itself, in `transcript_mirror` messages. Default: no such messages. */
  readonly mirror?: SessionMirrorOptions;
  /** The conversation that the session resumes. Default: a new conversation. */
  readonly history?: readonly WireMessage[];
  /** The messages of the subagents of the resumed conversation, by the `parent_tool_use_id` of each subagent. Default: none. */
  readonly subagentHistory?: ReadonlyMap<string, readonly WireMessage[]>;
  /**
   * Returns a title for the session. `description` describes the session, for example by its first prompt. Return null to give no title yet.
   * Default: the first line of the description, up to 60 characters.
   */
  readonly generateTitle?: (
    description: string,
    context: { readonly signal: AbortSignal },
  ) => string | null | Promise<string | null>;
}

/** Who decides on tool calls: first the rules of the agent, then hooks, then the host or a tool. */
export interface AgentPermissionOptions
  extends PermissionRules,
    Partial<Pick<PermissionPromptToolOptions, 'findPromptTool'>>,
    Pick<PermissionRequestsOptions, 'onRequestSent' | 'onRequestResolved'> {
  /** The permission mode that the session begins with. `system/init` shows it, and the host may change it. Default `default`. */
  readonly mode?: string;
  /**
   * Who is asked for permissions: `stdio` asks the host. Any other name calls the MCP tool of that name, which is left out of the tools of a
   * turn. Default: nobody is asked, and a call that needs a permission is denied.
   */
  readonly promptTool?: string | undefined;
  /** Overrides `promptTool`: `host` asks the host, `none` asks nobody. Default: `promptTool` decides. */
  readonly prompts?: 'host' | 'none' | undefined;
  /** Runs the hooks of the agent itself that may answer in place of the host. Returns undefined when no hook decides. Default: no hooks. */
  readonly hooks?: OwnPermissionHooks;
  /** Called when the host changes the permission mode. An error that it throws refuses the change. */
  readonly onModeChange?: (mode: string) => void | Promise<void>;
}

/** The MCP servers of the host, and those of the agent. */
export interface AgentMcpOptions {
  /** Names of MCP servers in the host that the command line announces: `--mcp-config` with type `sdk`. Default: none. */
  readonly sdkServers?: readonly string[];
  /** Whether the agent may use MCP servers of the host. Default true. */
  readonly allowHostServers?: boolean;
  /** Returns the states of the MCP servers of the agent. Default: no servers. */
  readonly status?: () => readonly unknown[] | Promise<readonly unknown[]>;
  /**
   * Called with MCP servers by name, when the host replaces the servers that it has set before, and for the `mcpServers` of `initialize`. Servers
   * that run in the host are left out. Default: every server is refused.
   */
  readonly onSetServers?: (servers: Readonly<Record<string, unknown>>) => McpServersChange | Promise<McpServersChange>;
  /** Called with each message of an MCP server of the host. The server may be unknown to the agent. */
  readonly onMessage?: (serverName: string, message: unknown) => void;
  /**
   * Called when the host limits the tools of one MCP server, for calls that the permission mode would allow: with `default` the user is asked
   * about each call, and with `auto` the agent checks each call. `null` ends the limit. Default: the request is refused.
   */
  readonly onPermissionModeChange?: (serverName: string, mode: 'default' | 'auto' | null) => void;
}

/** The models of the agent. */
export interface AgentModelOptions {
  /** The model that the session begins with. `system/init` shows it, and the host may change it. Default `default`. */
  readonly initial?: string;
  /** The model that `set_model` with `default` selects, unless `onChange` returns another. Default: `initial`. */
  readonly default?: string;
  /**
   * Called when the host changes the model; `undefined` is the default model. Returns the resolved id. An error that it throws refuses the
   * change.
   */
  readonly onChange?: (model: string | undefined) => string | Promise<string>;
  /** Called when the host changes the limit of thinking tokens: `null` for the default, `undefined` for no change. */
  readonly onThinkingChange?: (maxTokens: number | null | undefined) => void | Promise<void>;
}

/** What the agent sends in addition to its messages, and how. */
export interface AgentOutputOptions {
  /** Whether `stream_event` messages are sent to the host. Default false. */
  readonly partialMessages?: boolean;
  /** Whether the agent echoes prompts that carry a `uuid` when their turn begins, and successful answers of the host. Default false. */
  readonly replayUserMessages?: boolean;
  /**
   * Who receives a `session_state_changed` message when the session starts to run and when it becomes idle: `all` for every client,
   * `host-only` marks the messages as meant for the host program. Default: no such messages.
   */
  readonly stateEvents?: 'all' | 'host-only';
  /** The states of a login. Each is sent as an `auth_status` message. The source is closed with the session. Default: no such messages. */
  readonly authStatus?: AsyncIterable<AuthStatus> | undefined;
  /** A stage in front of the outbound queue, such as `coalesceStreamEvents()`, which joins increments. Default: no stage. */
  readonly stage?: OutboundStage;
}

/** The variables of the environment that the host may refresh. */
export interface AgentEnvironmentOptions {
  /** The names of the variables that are passed to `onChange`. Default: `CLAUDE_CODE_SESSION_ACCESS_TOKEN`. */
  readonly names?: readonly string[];
  /** Called with variables that the host refreshes: only those of `names`, and only strings. Default: they are ignored. */
  readonly onChange?: (variables: Readonly<Record<string, string>>) => void;
}

/** The options of `runAgent`. Only `runTurn` is required. */
export interface AgentOptions {
  /** Runs one turn: the implementation of the agent. */
  readonly runTurn: RunTurn;
  /** Returns the tools of the agent. Called for each turn. Default: no tools. */
  readonly tools?: () => readonly ToolDefinition[];
  /** The id of the session, its store, and the conversation that it resumes. */
  readonly session?: AgentSessionOptions;
  /** Who decides on tool calls. Default: a call that needs a permission is denied. */
  readonly permissions?: AgentPermissionOptions;
  /** The MCP servers of the host, and those of the agent. */
  readonly mcp?: AgentMcpOptions;
  /** The models of the agent. */
  readonly models?: AgentModelOptions;
  /** What the agent sends in addition to its messages. */
  readonly output?: AgentOutputOptions;
  /** The variables of the environment that the host may refresh. */
  readonly environment?: AgentEnvironmentOptions;
  /** Returns members for the `system/init` message. They replace the defaults. Called for each turn. */
  readonly initMessage?: () => Readonly<Record<string, unknown>>;
  /**
   * Returns members for the answer to `initialize`, such as slash commands and models. They replace the defaults. `request` is what the host
   * sent.
   */
  readonly initializeResponse?: (request: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Returns members for the input of a hook, such as `cwd` and `transcript_path`. They replace the defaults. Called for each hook. */
  readonly hookDefaults?: () => Readonly<Record<string, unknown>>;
  /** Further control requests to serve, by subtype. */
  readonly handlers?: NonNullable<SessionOptions['handlers']>;
  /**
   * Checks each message of the host. The agent takes the message that the check returns, and ignores a message with issues.
   * `messageValidator({ direction: 'from-host' })` of `@proto/core/messages` creates such a check. Default: every message is taken unchanged.
   */
  readonly validate?: NonNullable<SessionOptions['validate']>;
  /**
   * Aborting interrupts the running turn, cancels the prompts that wait, and ends the session like the end of the input; `runAgent` fulfils.
   * Use it for the signals of a process.
   */
  readonly stopSignal?: AbortSignal;
  /** Called once, before any message is read. */
  readonly onStart?: (agent: AgentHandle) => void;
  /**
   * Called when the host changes settings. The source `flagSettings` overrides the command line; any other source is written permanently. An
   * error that it throws refuses the change.
   */
  readonly onSettings?: (settings: Readonly<Record<string, unknown>>, source: string) => void | Promise<void>;
  /** Restores files to their state at a prompt. Default: the request is refused. */
  readonly onRewindFiles?: (request: Readonly<Record<string, unknown>>) => unknown;
  /**
   * Called with an answer to a request that this agent never sent, such as a request from before a restart. May add a prompt by `prepend` of
   * the handle. The next such answer, and the end of the session, wait for the returned promise. An error that it throws becomes an uncaught
   * exception.
   */
  readonly onUnexpectedResponse?: (response: WireMessage) => void | Promise<void>;
  /** Called with the type of each message that is read, and without its content; called again for a message that is dropped. */
  readonly onMessageType?: (event: AgentDiagnostic) => void;
}

/** The default of `environment.names`: the token of a remote session, as published agents take it. */
export const DEFAULT_ENVIRONMENT_NAMES: readonly string[] = ['CLAUDE_CODE_SESSION_ACCESS_TOKEN'];

/** How the agent ended. */
export interface AgentOutcome {
  /** Whether the last result was an error; false without a result. An executable exits with 1 after an error. */
  readonly isError: boolean;
}
