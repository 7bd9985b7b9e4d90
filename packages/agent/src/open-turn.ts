import type { ControlRequest, RequestOptions } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import type { AgentSettings } from './agent-controls.ts';
import type { BackgroundTasks } from './background-tasks.ts';
import type { Conversation } from './conversation.ts';
import type { HookCall } from './hook-callback.ts';
import type { HookOutcome } from './hook-outcome.ts';
import type { HostInitialize } from './host-initialize.ts';
import type { HostMcpServers } from './host-mcp-servers.ts';
import type { HostQuestions } from './host-questions.ts';
import type { PermissionDecision, ToolCall } from './permission-decision.ts';
import type { PermissionRequests } from './permission-requests.ts';
import { ownPrompt, type Prompt, type PromptContent } from './prompt.ts';
import type { RunningTurn } from './running-turn.ts';
import type { ToolDefinition } from './turn-tools.ts';
import type { ToolCaller, Turn } from './turn.ts';

/** What a turn is made of. */
export interface TurnParts {
  readonly sessionId: string;
  readonly settings: AgentSettings;
  readonly conversation: Conversation;
  readonly emit: (message: WireMessage) => Promise<void>;
  readonly requests: Pick<PermissionRequests, 'request'>;
  readonly decide: (running: RunningTurn, call: ToolCall, caller?: ToolCaller) => Promise<PermissionDecision>;
  readonly runHooks: (running: RunningTurn, call: HookCall, signal?: AbortSignal) => Promise<HookOutcome>;
  readonly questions: HostQuestions;
  readonly mcp: HostMcpServers;
  readonly tasks: BackgroundTasks;
  readonly initialize: HostInitialize;
  readonly tools: () => readonly ToolDefinition[];
  /** Takes prompts that wait into the turn. */
  readonly fold: (running: RunningTurn) => Promise<readonly Prompt[]>;
  /** Has a prompt run ahead of what waits. */
  readonly prepend: (prompt: Prompt) => void;
}

/** The turn as the loop sees it, with this prompt. What may change meanwhile is read when it is asked for. */
export function openTurn(
  parts: TurnParts,
  running: RunningTurn,
  prompt: PromptContent,
  additionalContext: readonly string[],
): Turn {
  const { settings, mcp, initialize, requests, questions, tasks } = parts;
  const { signal } = running;
  return {
    prompt,
    promptUuid: running.result.promptUuid,
    origin: running.prompts[0]?.origin,
    signal,
    sessionId: parts.sessionId,
    history: parts.conversation.messages,
    subagentHistory: parts.conversation.subagents,
    additionalContext,
    get model() {
      return settings.model;
    },
    get permissionMode() {
      return settings.permissionMode;
    },
    get initialize() {
      return initialize.request;
    },
    get capabilities() {
      return initialize.capabilities;
    },
    get tools() {
      return parts.tools();
    },
    get mcpServers() {
      return mcp.list;
    },
    emit: parts.emit,
    request: <Answer>(request: ControlRequest, options?: RequestOptions<Answer>) =>
      requests.request<Answer>(request, { ...options, signal: running.asking(options?.signal) }),
    canUseTool: (tool, input, toolUseID, caller) => parts.decide(running, { tool, input, toolUseID }, caller),
    runHooks: (event, input, { signal: own } = {}) =>
      parts.runHooks(running, { ...input, hook_event_name: event }, own),
    takeQueued: async () => (await parts.fold(running)).map(({ content }) => content),
    prepend: (content) => parts.prepend(ownPrompt(content, { kind: 'auto-continuation' })),
    background: (task) => tasks.start(task),
    elicit: (elicitation) => questions.elicit(elicitation, running),
    mayConnect: (host) => questions.mayConnect(host, running.asking()),
  };
}
