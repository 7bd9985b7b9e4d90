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

/** One turn as `runTurn` sees it: a prompt, and what the host offers. An agent uses what it needs. */
export interface Turn extends SessionWriter {
  /** The prompt. Prompts that waited together are joined: texts by line breaks, or all content blocks in a list. */
  readonly prompt: PromptContent;
  /** The `uuid` that the host gave to the prompt; undefined without a `uuid`. For joined prompts, the last `uuid`. */
  readonly promptUuid: string | undefined;
  /** The origin of a prompt that is not from the host: the end of a background task, or `prepend`. Undefined for a prompt of the host. */
  readonly origin: Readonly<Record<string, unknown>> | undefined;
  /** Aborts when the turn is interrupted or the session ends. Yield the incomplete reply, marked `aborted`, and return. */
  readonly signal: AbortSignal;
  /** The id of the session, as in `AgentHandle.sessionId`. */
  readonly sessionId: string;
  /** The conversation so far, with this prompt: the messages that were loaded at the start, and those of the main thread since then. */
  readonly history: readonly WireMessage[];
  /** The messages of subagents so far, by the `parent_tool_use_id` of each subagent. */
  readonly subagentHistory: ReadonlyMap<string, readonly WireMessage[]>;
  /** Texts that hooks add to the prompt, for the model. */
  readonly additionalContext: readonly string[];
  /** The current model. The host may change it while the turn runs. */
  readonly model: string;
  /** The current permission mode. The host may change it while the turn runs. */
  readonly permissionMode: string;

  /** The members of the `initialize` requests of the host, such as prompts, agents and the schema of the result. Empty without such a request. */
  readonly initialize: Readonly<Partial<SDKControlInitializeRequest>>;
  /** The answer of the agent to `initialize`: its slash commands, subagents, models and so on. */
  readonly initializeResponse: Readonly<Record<string, unknown>>;
  /** The tools of the agent, and the tools of the MCP servers of the host as `mcp__SERVER__TOOL`; without the tool that is asked for permissions. */
  readonly tools: readonly ToolDefinition[];
  /** The MCP servers that live in the host. The same objects in each turn, as long as the host has them. */
  readonly mcpServers: readonly HostMcpServer[];

  /**
   * Decides whether a tool call may be made: asks the `PreToolUse` hooks, then the rules of the agent, then the host or the permission tool
   * where the rules leave the decision open. A denial that interrupts has already aborted the turn.
   *
   * @throws {TypeError} if `tool` is not a string. Nothing else rejects.
   */
  canUseTool(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    toolUseID: string,
    caller?: ToolCaller,
  ): Promise<PermissionDecision>;
  /**
   * Runs the hooks of the host for an event, and returns their joined outcome. Call it for events that only `runTurn` knows about, such as
   * `PostToolUse`, `SubagentStop` and `Notification`. The session runs `UserPromptSubmit` and `Stop` around the turn, and `canUseTool` runs
   * `PreToolUse` and `PermissionRequest`. Messages of hooks to the user are sent after the next message of the turn. When the outcome has a
   * `stopReason`, `runTurn` must return. Pass a separate `signal` for work that outlives the turn.
   */
  runHooks(
    event: HookEvent,
    input?: Readonly<Record<string, unknown>>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<HookOutcome>;
  /** Takes prompts that arrived during the turn into the turn. Call it after a tool result. A prompt that is not taken gets its own turn later. */
  takeQueued(): Promise<readonly PromptContent[]>;
  /** Gives the agent a prompt, which runs before all prompts that wait. */
  prepend(content: PromptContent): void;
  /**
   * Starts a background task, which continues after the turn and after the end of the input. The host is notified of its end, which causes a turn.
   * Returns the `task_id`.
   */
  background(task: BackgroundTask): string;
  /** Asks the user a question of an MCP server. Never rejects: without a valid answer the action is `cancel`. */
  elicit(elicitation: Elicitation): Promise<ElicitationResult>;
  /** Asks the user whether a command in the sandbox may connect to a host. True only when the user allows it. */
  requestNetworkAccess(host: string): Promise<boolean>;
}

/** The caller of a tool, if it is not the main thread, and what the turn itself decides. */
export interface ToolCaller {
  /** The id of the subagent, which is its `task_id`. */
  readonly agentID?: string;
  /**
   * Forces the decision in place of the rules of the agent, which are not asked: `allow` and `deny` decide, and `ask` has the host or the permission
   * tool decide. `PreToolUse` hooks are asked in any case: they may deny the call, and decide in place of an `allow` or an `ask`.
   */
  readonly decision?: LocalPermission;
  /** Aborting cancels the question. Default: the signal of the turn, which also aborts when the turn ends. */
  readonly signal?: AbortSignal;
}

/**
 * The agent itself: takes a prompt and yields messages. The session adds `uuid`, `session_id` and `parent_tool_use_id`
 * (`null`, the main thread) where they are absent, and the `result` that ends the turn. If `runTurn` yields a `result`, its missing members are
 * added and it is sent last. An error that `runTurn` throws becomes an error result. When a `Stop` hook does not let the turn end, `runTurn` is
 * called again, with the text of the hook as its prompt.
 */
export type RunTurn = (turn: Turn) => AsyncIterable<WireMessage>;

/** The question of an MCP server to the user: the members of the `elicitation` request without its `subtype`. */
export type Elicitation = Omit<SDKControlElicitationRequest, 'subtype'>;

/** Work that goes on after the end of its turn. */
export interface BackgroundTask {
  /** What the task does, as a short text for the user. */
  readonly description: string;
  /** `local_bash`, `local_agent` ... While a task of any other type than `local_bash` runs, the session is not reported as idle. */
  readonly task_type: string;
  /** The tool call that began the task. */
  readonly tool_use_id?: string;
  /** Further members of `task_started`: `prompt`, `subagent_type` ... */
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
  /** `failed`: the task ended with an error. Default `completed`. */
  readonly status?: 'completed' | 'failed';
  /** The prompt of the turn that the end of the task causes. Default: `summary`. */
  readonly prompt?: PromptContent;
  /** Further members of `task_notification`: `output_file`, `usage` ... */
  readonly [member: string]: unknown;
}
