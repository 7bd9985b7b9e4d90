import type { OutboundStage, SessionOptions } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import type { WorkerLink } from '@proto/core/internal';
import type { CanUseToolOptions } from './permissions/ask-host.ts';
import type { PermissionPromptToolOptions } from './permissions/permission-prompt-tool.ts';
import type { PermissionRequestsOptions } from './permissions/permission-requests.ts';
import type { PromptContent } from './prompts/prompt.ts';
import type { SessionMirrorOptions } from './transcript/session-mirror.ts';
import type { ToolDefinition } from './mcp/host-mcp-server.ts';
import type { RunTurn } from './turns/turn.ts';

/** A state of signing in, as `auth_status` messages carry it. */
export interface AuthStatus {
  readonly isAuthenticating: boolean;
  readonly output: readonly string[];
  readonly error?: string;
}

/** What of a session outlives its process: which prompts were taken, by the id the host gave them, and what was said. */
export interface SessionStore {
  /** Kept over restarts it makes a prompt run once for good. */
  has(uuid: string): boolean;
  add(uuid: string): void;
  /** Takes each message of the conversation, under a `uuid`, ahead of all that is said behind it. What it throws fails the turn. */
  append?(message: WireMessage): void;
  /** Takes what a subagent says, under the `parent_tool_use_id` that tells it from others. */
  appendSubagent?(message: WireMessage, agentID: string): void;
}

/** Who decides on tool calls: the agent's own rules first, then hooks and whom the session names. */
type PermissionSeams = Pick<
  CanUseToolOptions,
  'localPermissionCheck' | 'permissionRequestHooks' | 'applyPermissionUpdates'
> &
  Partial<Pick<PermissionPromptToolOptions, 'findPermissionPromptTool'>>;

/** What became of a change of MCP servers: names, and why those that failed did. */
export interface McpServersChange {
  readonly added?: readonly string[];
  readonly removed?: readonly string[];
  readonly errors?: Readonly<Record<string, string>>;
}

/** How the owner of an agent speaks to it while it runs. */
export interface AgentHandle {
  readonly sessionId: string;
  /** What an earlier worker of this session has left behind; null where there is none, or the transport has no such duty. */
  readonly restoredWorkerState: Promise<Readonly<Record<string, unknown>> | null>;
  /** The duties of the worker of a remote session, where the transport has them. */
  readonly worker: WorkerLink | undefined;
  /** Gives the agent a prompt of its own, which runs ahead of what waits and of what is not read yet. */
  prepend(content: PromptContent): void;
  /** Settles an open question with an answer from elsewhere than the host, and takes it back there; false where none waits for it. */
  inject(response: WireMessage): boolean;
}

/** Who follows the questions for a permission beside the host. */
type PermissionFollowers = Pick<PermissionRequestsOptions, 'onControlRequestSent' | 'onControlRequestResolved'>;

/** What an agent is made of: its turns, and what it takes and tells around them. */
export interface AgentOptions extends PermissionSeams, PermissionFollowers {
  /** Called before anything is read. */
  readonly onStart?: (agent: AgentHandle) => void;
  /**
   * Who is asked for permissions: `stdio` the host, another name that tool, which is left out of the tools of a turn. Default: nobody, so
   * what would be asked is denied.
   */
  readonly permissionPromptTool?: string | undefined;
  /** Who is asked in place of `permissionPromptTool`: the host, or nobody. Default: the one that it names. */
  readonly permissionPrompts?: 'host' | 'none' | undefined;
  readonly runTurn: RunTurn;
  readonly sessionId?: string;
  /** The agent's own tools; asked anew for each turn. Default: none are told of. */
  readonly tools?: () => readonly ToolDefinition[];
  /**
   * Aborting it interrupts the running turn, takes back what waits, and ends the session as the end of the input does; `runAgent`
   * fulfils. For the signals of a process, which come from elsewhere than the host.
   */
  readonly interrupted?: AbortSignal;
  /** MCP servers in the host that are announced elsewhere than in `initialize`: `--mcp-config` with type `sdk`. */
  readonly sdkMcpServers?: readonly string[];
  /** Default true; false where a policy lets the agent have no servers but its own. */
  readonly allowHostMcpServers?: boolean;
  /** Members of the input of every hook, over the defaults: `cwd`, `transcript_path` ... Asked anew for each. */
  readonly hookInput?: () => Readonly<Record<string, unknown>>;
  /** Hand on `stream_event` messages. Default false: they are left out. */
  readonly includePartialMessages?: boolean;
  /** Stands ahead of what is sent: `coalesceStreamEvents()` makes few increments of many. Default: none. */
  readonly outboundStage?: OutboundStage;
  /** Echo prompts that carry a `uuid` as they are taken up, and successful answers of the host. Default false. */
  readonly replayUserMessages?: boolean;
  /** Tell when the session runs and when it is idle: to everybody, or marked as for the host program only. Default: not. */
  readonly sessionStateEvents?: 'all' | 'host-only';
  /** Default: a memory for the life of the session. */
  readonly sessionStore?: SessionStore;
  /** Tell a host that keeps sessions in a store of its own what is added to this one, by `transcript_mirror` messages. Default: not. */
  readonly sessionMirror?: SessionMirrorOptions;
  /** The conversation that goes on, where one is resumed. */
  readonly history?: readonly WireMessage[];
  /** What its subagents have said, by the `parent_tool_use_id` of each. */
  readonly subagentHistory?: ReadonlyMap<string, readonly WireMessage[]>;
  /** Members of the `system/init` message, over the defaults; asked anew for each turn. */
  readonly init?: () => Readonly<Record<string, unknown>>;
  /** The model and the mode the session begins with; shown in `system/init`, changed by the host. */
  readonly model?: string;
  readonly permissionMode?: string;
  /** What `set_model` with `default` has hold again, unless `applyModel` gives another. Default: the `model` it began with. */
  readonly defaultModel?: string;
  /** Members of the answer to `initialize`, over the defaults; given what the host sent along. */
  readonly capabilities?: (request: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** The host changes the model, `undefined` for the default one. Gives the resolved id; what it throws refuses the change. */
  readonly applyModel?: (model: string | undefined) => string | Promise<string>;
  /** The host changes the permission mode. What it throws refuses the change. */
  readonly applyPermissionMode?: (mode: string) => void | Promise<void>;
  /** The host changes how much is thought: `null` for the default, `undefined` for no change. */
  readonly applyThinking?: (maxTokens: number | null | undefined) => void | Promise<void>;
  /** The states of the MCP servers. Default: none. */
  readonly mcpStatus?: () => readonly unknown[] | Promise<readonly unknown[]>;
  /** The host replaces the servers it has set before, by name; those that live in the host are not among them. Default: all are refused. */
  readonly mcpSetServers?: (servers: Readonly<Record<string, unknown>>) => McpServersChange | Promise<McpServersChange>;
  /** A message of the host's MCP server, by the name of the server. Unknown servers are no error. */
  readonly mcpRoute?: (serverName: string, message: unknown) => void;
  /** The host changes settings: over those of the command line, or for good where a source is named. What it throws refuses the change. */
  readonly applySettings?: (settings: Readonly<Record<string, unknown>>, source: string) => void | Promise<void>;
  /** Puts files back to where they were at a prompt. Without it the request is refused. */
  readonly rewind?: (request: Readonly<Record<string, unknown>>) => unknown;
  /** How signing in goes, where hosts are to know: each state is told as an `auth_status` message. Closed with the session. */
  readonly authStatusSource?: AsyncIterable<AuthStatus> | undefined;
  /** Takes variables that the host refreshes: of the allow-list only, strings only. Default: none are taken. */
  readonly applyEnvironment?: (variables: Readonly<Record<string, string>>) => void;
  /** The names `applyEnvironment` may be given. Default `DEFAULT_ENVIRONMENT_NAMES`. */
  readonly environmentNames?: readonly string[];
  /**
   * An answer to a request this agent never sent, such as one its predecessor sent before a restart. May add a prompt by `prepend` of
   * the handle: the next answer, and the end of the session, wait until it is done. What it throws is an uncaught exception.
   */
  readonly onUnexpectedResponse?: (response: WireMessage) => void | Promise<void>;
  /** Hears the type of each message that is read, and nothing of its content. */
  readonly diagnostics?: (event: { readonly type: string }) => void;
  /** Further control requests to serve, by subtype. */
  readonly handlers?: NonNullable<SessionOptions['handlers']>;
  /**
   * Checks the messages of the host: what it gives instead is taken, and a message it has issues with is ignored.
   * `messageValidator({ direction: 'from-host' })` of `@proto/core/messages` makes one. Default: every message is taken as it came.
   */
  readonly validate?: NonNullable<SessionOptions['validate']>;
}

/** What published agents take of `update_environment_variables`: the token of a remote session. */
export const DEFAULT_ENVIRONMENT_NAMES: readonly string[] = ['CLAUDE_CODE_SESSION_ACCESS_TOKEN'];

/** How the agent ended. */
export interface AgentOutcome {
  /** Whether the last result was an error; false without any. An executable exits with 1 then. */
  readonly isError: boolean;
}
