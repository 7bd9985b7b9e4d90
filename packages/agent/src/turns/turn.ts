import type { SessionWriter } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import type { ElicitationResult, HookEvent, SDKControlInitializeRequest } from '@proto/core/internal';
import type { BackgroundTask } from '../tasks/background-tasks.ts';
import type { Elicitation } from '../questions/host-questions.ts';
import type { HookOutcome } from '../hooks/hook-outcome.ts';
import type { HostMcpServer, ToolDefinition } from '../mcp/host-mcp-server.ts';
import type { PermissionDecision } from '../permissions/permission-decision.ts';
import type { PromptContent } from '../prompts/prompt.ts';

/** One turn as the agent's own loop sees it: a prompt, and what the host offers. Nothing of it has to be used. */
export interface Turn extends SessionWriter {
  /** What waited together is one prompt: texts by line, or all their blocks. */
  readonly prompt: PromptContent;
  /** The id the host gave the prompt, where it did; of several the last. */
  readonly promptUuid: string | undefined;
  /** Where the prompt is not the host's: the end of a background task, or a prompt the agent gave itself. */
  readonly origin: Readonly<Record<string, unknown>> | undefined;
  /** Aborts when the turn is interrupted or the session ends: yield what there is, marked `aborted`, and return. */
  readonly signal: AbortSignal;
  readonly sessionId: string;
  /** The conversation so far, this prompt included: what was loaded at the start, and what was said since on the main thread. */
  readonly history: readonly WireMessage[];
  /** What subagents said so far, by the `parent_tool_use_id` of each. */
  readonly subagentHistory: ReadonlyMap<string, readonly WireMessage[]>;
  /** What hooks want the model told along with the prompt. */
  readonly additionalContext: readonly string[];
  /** As the host has set them last; both may change while the turn runs. */
  readonly model: string;
  readonly permissionMode: string;

  /** What the host said in its last `initialize`: prompts, agents, schema ... Empty without one. */
  readonly initialize: Readonly<Partial<SDKControlInitializeRequest>>;
  /** What the agent answers to it: its slash commands, agents, models ... */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** The agent's own tools and those of the host's MCP servers, as `mcp__SERVER__TOOL`; without the tool that is asked for permission. */
  readonly tools: readonly ToolDefinition[];
  /** The MCP servers that live in the host. The same objects in each turn, as long as the host has them. */
  readonly mcpServers: readonly HostMcpServer[];

  /**
   * Whether a tool call may be made: asks the hooks ahead of it, the agent's own rules, and whom the session names where they leave it
   * open. Never rejects; a denial that interrupts has aborted the turn already.
   */
  canUseTool(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    toolUseID: string,
    caller?: ToolCaller,
  ): Promise<PermissionDecision>;
  /**
   * Runs the host's hooks for an event, and says what they come to. For `PostToolUse`, `SubagentStop`, `Notification` and all else that
   * only the loop knows of: `UserPromptSubmit` and `Stop` are run around the turn, `PreToolUse` and `PermissionRequest` by `canUseTool`.
   * What hooks tell the user is said behind the next message. With a `stopReason` the loop returns. What outlives the turn gives a
   * signal of its own.
   */
  runHooks(
    event: HookEvent,
    input?: Readonly<Record<string, unknown>>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<HookOutcome>;
  /** Prompts that came meanwhile, into this turn. To call behind a tool result: what is not taken has its own turn later. */
  takeQueued(): Promise<readonly PromptContent[]>;
  /** Gives the agent itself a prompt, which runs ahead of what waits. */
  prepend(content: PromptContent): void;
  /** Goes on beyond the turn, and beyond the end of the input; its end is told, and has a turn of its own. Gives the `task_id`. */
  background(task: BackgroundTask): string;
  /** Puts a question of an MCP server to the user. Never rejects: without a valid answer it is cancelled. */
  elicit(elicitation: Elicitation): Promise<ElicitationResult>;
  /** Whether a command in the sandbox may connect to that host: true is the user's answer, false all else. */
  mayConnect(host: string): Promise<boolean>;
}

/** Who wants to call a tool, where it is not the main thread. */
export interface ToolCaller {
  /** The subagent's, which is its `task_id`. */
  readonly agentID?: string;
  /** Aborts the question; default the turn's, which also goes off at its end. */
  readonly signal?: AbortSignal;
}

/**
 * The agent itself: a prompt in, messages out. `uuid` and `session_id` are added, and the `result` that ends the turn; one that it
 * yields itself is completed and comes last, and what it throws becomes an error result. Where a `Stop` hook does not let the turn end
 * it is called again, with what the hook says as its prompt.
 */
export type RunTurn = (turn: Turn) => AsyncIterable<WireMessage>;
