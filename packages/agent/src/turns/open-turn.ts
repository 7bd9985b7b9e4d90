import type { ControlRequest, RequestOptions } from '@proto/core';
import { requireText } from '@proto/core/internal';
import type { AgentWire } from '../agent-wire.ts';
import type { HostInitialize } from '../controls/host-initialize.ts';
import type { SettingsChanges } from '../controls/settings-changes.ts';
import type { RunHooks } from '../hooks/turn-hooks.ts';
import type { HostMcpServers } from '../mcp/host-mcp-servers.ts';
import type { PromptCommands } from '../mcp/prompt-commands.ts';
import type { PermissionRequests } from '../permissions/permission-requests.ts';
import type { DecideOnTool } from '../permissions/tool-permissions.ts';
import type { PromptQueue } from '../prompts/prompt-queue.ts';
import { ownPrompt, type PromptContent } from '../prompts/prompt.ts';
import type { HostQuestions } from '../questions/host-questions.ts';
import type { BackgroundTasks } from '../tasks/background-tasks.ts';
import type { Conversation } from '../transcript/conversation.ts';
import type { RunningTurn } from './running-turn.ts';
import { turnTools } from './system-init.ts';
import type { Turn } from './turn.ts';

export interface TurnParts {
  readonly wire: AgentWire;
  readonly settings: SettingsChanges;
  readonly conversation: Conversation;
  readonly prompts: PromptQueue;
  readonly requests: Pick<PermissionRequests, 'request'>;
  readonly decide: DecideOnTool;
  readonly runHooks: RunHooks;
  readonly questions: HostQuestions;
  readonly mcp: HostMcpServers;
  readonly commands: PromptCommands;
  readonly tasks: BackgroundTasks;
  readonly initialize: HostInitialize;
}

export interface TurnRound {
  readonly running: RunningTurn;
  readonly prompt: PromptContent;
  readonly isContinued: boolean;
  readonly additionalContext: readonly string[];
  readonly takeQueued: Turn['takeQueued'];
}

/** Values that may change during the turn are read on each access. */
export function openTurn(parts: TurnParts, round: TurnRound): Turn {
  const { running, prompt, isContinued, additionalContext, takeQueued } = round;
  const { wire, settings, conversation, prompts, mcp, initialize, requests, questions, tasks } = parts;
  const { signal } = running;
  return {
    prompt,
    promptUuid: running.result.promptUuid,
    origin: running.prompts[0]?.origin,
    isContinued,
    signal,
    sessionId: wire.sessionId,
    history: conversation.messages,
    subagentHistory: conversation.subagents,
    additionalContext,
    get model() {
      return settings.current.model;
    },
    get permissionMode() {
      return settings.current.permissionMode;
    },
    get initialize() {
      return initialize.request;
    },
    get initializeResponse() {
      return initialize.capabilities;
    },
    get tools() {
      return turnTools(wire.options, mcp.list);
    },
    get mcpServers() {
      return mcp.list;
    },
    emit: wire.emit,
    request: <Answer>(request: ControlRequest, options?: RequestOptions<Answer>) =>
      requests.request<Answer>(request, { ...options, signal: running.asking(options?.signal) }),
    async canUseTool(tool, input, toolUseID, caller) {
      requireText(tool, 'the name of the tool', "canUseTool('Bash', input, toolUseID)");
      return parts.decide(running, { tool, input, toolUseID }, caller);
    },
    async runHooks(event, input, { signal: own } = {}) {
      requireText(event, 'the event', "runHooks('PostToolUse', { ...input })");
      return parts.runHooks(running, { ...input, hook_event_name: event }, own);
    },
    takeQueued,
    prepend: (content) => prompts.take(ownPrompt(content, { kind: 'auto-continuation' }), 'first'),
    background: (task) => tasks.start(task),
    elicit: (elicitation) => questions.elicit(elicitation, running),
    async requestNetworkAccess(host) {
      requireText(host, 'the host', "requestNetworkAccess('example.com')");
      return questions.requestNetworkAccess(host, running.asking());
    },
  };
}
