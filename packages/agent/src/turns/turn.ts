import type { SessionWriter } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import type {
  ElicitationResult,
  HookEvent,
  SDKControlElicitationRequest,
  SDKControlInitializeRequest,
} from '@proto/core/messages';
import type { HookOutcome } from '../hooks/hook-outcome.ts';
import type { HostMcpServer, ToolDefinition } from '../mcp/host-mcp-server.ts';
import type { PermissionDecision } from '../permissions/permission-decision.ts';
import type { LocalPermission } from '../permissions/permission-request.ts';
import type { PromptContent } from '../prompts/prompt.ts';

/** One turn, as passed to `runTurn`: a prompt, and the features that the host offers. An agent uses the features that it needs. */
export interface Turn extends SessionWriter {
  /** The prompt. Prompts that waited together are joined: texts with line breaks, content blocks into one list. */
  readonly prompt: PromptContent;
  /** The `uuid` that the host gave to the prompt. Undefined if the host gave no `uuid`. For joined prompts, the `uuid` of the last prompt. */
  readonly promptUuid: string | undefined;
  /**
   * The origin of a prompt that is not from the host, such as the end of a background task or a call of `prepend`. Undefined for a prompt from the
   * host.
   */
  readonly origin: Readonly<Record<string, unknown>> | undefined;
  /**
   * Whether a `Stop` hook has continued the turn. In this case, `runTurn` was called before for the earlier part of the turn, and limits on a turn, such as
   * `--max-turns`, count all parts together.
   */
  readonly isContinued: boolean;
  /** Aborts when the turn is interrupted or the session ends. Yield the incomplete reply, marked `aborted`, and return. */
  readonly signal: AbortSignal;
  /** The id of the session, as in `AgentHandle.sessionId`. */
  readonly sessionId: string;
  /** The conversation so far, including this prompt: the messages loaded at the start, and the main thread's messages since then. */
  readonly history: readonly WireMessage[];
  /** The messages of subagents so far, by the `parent_tool_use_id` of each subagent. */
  readonly subagentHistory: ReadonlyMap<string, readonly WireMessage[]>;
  /** Texts for the model that hooks add to the prompt. */
  readonly additionalContext: readonly string[];
  /** The current model. The host may change it while the turn runs. */
  readonly model: string;
  /** The current permission mode. The host may change it while the turn runs. */
  readonly permissionMode: string;

  /** The members of the host's `initialize` requests, such as prompts, agents and the schema of the result. Empty before the first such request. */
  readonly initialize: Readonly<Partial<SDKControlInitializeRequest>>;
  /** The agent's answer to `initialize`, which lists its slash commands, subagents, models and more. */
  readonly initializeResponse: Readonly<Record<string, unknown>>;
  /** The agent's tools, and the tools of the host's MCP servers as `mcp__SERVER__TOOL`. The tool that is asked for permissions is left out. */
  readonly tools: readonly ToolDefinition[];
  /** The MCP servers that run in the host. A server is the same object in each turn, as long as the host keeps it. */
  readonly mcpServers: readonly HostMcpServer[];

  /**
   * Decides whether a tool call may be made. Asks the `PreToolUse` hooks, then the agent's rules, and then, if the decision is still open, the host
   * or the permission tool. After a denial with `interrupt`, the turn is already aborted when the promise fulfils.
   *
   * @throws {TypeError} if `tool` is not a string. Never rejects for any other reason.
   */
  canUseTool(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    toolUseID: string,
    caller?: ToolCaller,
  ): Promise<PermissionDecision>;
  /**
   * Runs the host's hooks for an event, and returns their joined outcome. Call this method for events that only `runTurn` knows about, such as
   * `PostToolUse`, `SubagentStop` and `Notification`. The session runs `UserPromptSubmit` and `Stop` around the turn, and `canUseTool` runs
   * `PreToolUse` and `PermissionRequest`. Messages from hooks to the user are sent after the next message of the turn. If the outcome has a
   * `stopReason`, `runTurn` must return. Pass a separate `signal` for work that outlives the turn.
   */
  runHooks(
    event: HookEvent,
    input?: Readonly<Record<string, unknown>>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<HookOutcome>;
  /**
   * Returns the prompts that arrived during the turn, which then join the turn. Call this method after a tool result. Prompts that are not taken get
   * their own turns later.
   */
  takeQueued(): Promise<readonly PromptContent[]>;
  /** Gives the agent a prompt that runs before all waiting prompts. */
  prepend(content: PromptContent): void;
  /**
   * Starts a background task, which continues after the turn and after the end of the input. The host is notified when the task ends, and a new turn
   * begins. Returns the `task_id`.
   */
  background(task: BackgroundTask): string;
  /** Asks the user a question from an MCP server. Never rejects. Without a valid answer, the action is `cancel`. */
  elicit(elicitation: Elicitation): Promise<ElicitationResult>;
  /** Asks the user whether a command in the sandbox may connect to a network host. Returns `true` only if the user allows the connection. */
  requestNetworkAccess(host: string): Promise<boolean>;
}

/** The subagent that calls a tool, and the turn's own decision on the call. */
export interface ToolCaller {
  /** The id of the subagent, which is its `task_id`. */
  readonly agentID?: string;
  /**
   * Replaces the decision of the agent's rules, which are then not applied. `allow` and `deny` decide the call, and `ask` lets the host or the
   * permission tool decide. `PreToolUse` hooks are asked in any case, and may deny the call, or override an `allow` or an `ask`.
   */
  readonly decision?: LocalPermission;
  /** The question is cancelled when this signal aborts. Default: the signal of the turn, which also aborts when the turn ends. */
  readonly signal?: AbortSignal;
}

/**
 * The implementation of an agent. Receives a prompt and yields messages. The session adds `uuid`, `session_id` and `parent_tool_use_id` (`null`, the
 * main thread) if they are absent, and sends the `result` that ends the turn. If `runTurn` yields a `result`, its missing members are added, and it
 * is sent as the last message of the turn. An error that `runTurn` throws becomes an error result. If a `Stop` hook does not let the turn end,
 * `runTurn` is called again with the hook's text as its prompt. The result of the turn is then the last one, with `usage`, `duration_api_ms` and
 * `num_turns` added up over all calls.
 */
export type RunTurn = (turn: Turn) => AsyncIterable<WireMessage>;

/** A question from an MCP server to the user: the members of the `elicitation` request without its `subtype`. */
export type Elicitation = Omit<SDKControlElicitationRequest, 'subtype'>;

/** Work that continues after the end of its turn. */
export interface BackgroundTask {
  /** What the task does, as a short text for the user. */
  readonly description: string;
  /**
   * The type of the task, such as `local_bash` or `local_agent`. While a task of a type other than `local_bash` is running, the session is not
   * reported as idle.
   */
  readonly task_type: string;
  /** The tool call that started the task. */
  readonly tool_use_id?: string;
  /** Further members of `task_started`, such as `prompt` and `subagent_type`. */
  readonly [member: string]: unknown;
  /** Returns the output of the task so far, for the request `get_task_output`. */
  output?(): string;
  /** Does the work. The signal aborts when the host stops the task, or the session ends. A task that throws has failed. */
  run(signal: AbortSignal, taskId: string): Promise<BackgroundEnd>;
}

/** How a background task ended. */
export interface BackgroundEnd {
  /** How the task ended, as a text for the user and the model. */
  readonly summary: string;
  /** The value `failed` means that the task ended with an error. Default `completed`. */
  readonly status?: 'completed' | 'failed';
  /** The prompt for the turn that begins when the task ends. Default: `summary`. */
  readonly prompt?: PromptContent;
  /** Further members of `task_notification`, such as `output_file` and `usage`. */
  readonly [member: string]: unknown;
}
