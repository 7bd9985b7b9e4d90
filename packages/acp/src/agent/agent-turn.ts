import type { ContentBlock, PromptResponse, RequestPermissionRequest } from '@agentclientprotocol/sdk';
import type { Turn } from '@proto/agent';
import type { WireMessage } from '@proto/core/framing';
import { isObject, type Members, objectOf } from '../members.ts';
import type { AgentConnection, TurnHandler } from './agent-connection.ts';
import { permissionAnswer, questionFor } from './permission-answer.ts';
import { promptBlocks } from './prompt-blocks.ts';
import type { ToolUse } from './tool-use.ts';
import { TurnOutput } from './turn-output.ts';
import { type EndedCall, TurnUpdates } from './turn-updates.ts';

/** What a turn needs to know about its session. */
export interface TurnSetting {
  readonly connection: AgentConnection;
  /** Whether a path, as an agent names it, is in the working directory. */
  readonly isInside: (path: unknown) => Promise<boolean>;
  /** Called with what a host cannot be sent. */
  readonly onUnsent: (what: string, emit: (message: WireMessage) => void) => void;
}

/** Runs a turn of an agent of the Agent Client Protocol, and yields its messages and its result. */
export async function* runAgentTurn(turn: Turn, setting: TurnSetting): AsyncGenerator<WireMessage, void, undefined> {
  const { connection } = setting;
  const blocks = promptBlocks(turn.prompt, turn.additionalContext, connection.promptCapabilities);
  const running = new RunningTurn(turn, setting);
  const answer = running.run(blocks);
  // The error is thrown below, after everything that the agent has sent before.
  answer.catch(() => {});
  yield* running.output.messages();
  const result = resultOf(await answer, turn, running.text, connection);
  if (result !== undefined) yield result;
}

class RunningTurn implements TurnHandler {
  readonly output = new TurnOutput();
  readonly #turn: Turn;
  readonly #connection: AgentConnection;
  readonly #isInside: TurnSetting['isInside'];
  readonly #updates: TurnUpdates;
  readonly #stopped = new AbortController();
  #hooks: Promise<void> = Promise.resolve();

  constructor(turn: Turn, { connection, isInside, onUnsent }: TurnSetting) {
    this.#turn = turn;
    this.#connection = connection;
    this.#isInside = isInside;
    const emit = (message: WireMessage) => this.output.push(message);
    this.#updates = new TurnUpdates({
      emit,
      model: () => connection.settings.model ?? turn.model,
      agentSessionId: connection.sessionId,
      onCallEnd: (call) => this.#runHooks(call),
      onUnsent: (what) => onUnsent(what, emit),
    });
  }

  get text(): string {
    return this.#updates.text;
  }

  async run(blocks: readonly ContentBlock[]): Promise<PromptResponse> {
    let isAborted = true;
    try {
      const signal = AbortSignal.any([this.#turn.signal, this.#stopped.signal]);
      const response = await this.#connection.prompt(blocks, this, signal);
      isAborted = response.stopReason === 'cancelled';
      return response;
    } finally {
      this.#updates.end(isAborted ? null : 'end_turn', isAborted);
      await this.#hooks;
      this.output.end();
    }
  }

  update(update: Parameters<TurnHandler['update']>[0]): void {
    this.#updates.take(update);
  }

  async requestPermission({
    toolCall,
    options,
  }: RequestPermissionRequest): ReturnType<TurnHandler['requestPermission']> {
    const { toolCallId: id, ...known } = toolCall;
    const use = this.#updates.called(id, known);
    // A host must know the call before it is asked about the call.
    await this.output.sent();
    const decision = await this.#turn.canUseTool(use.name, use.input, id, {
      decision: (await this.#localDecision(use)) ?? questionFor(use, toolCall.title, options),
    });
    const { response, rejection } = permissionAnswer(decision, use, options);
    if (rejection !== undefined) this.#updates.denied(id, rejection);
    if (decision.behavior === 'deny' && decision.stopReason !== undefined) this.#stopped.abort();
    return response;
  }

  async elicit(request: Parameters<TurnHandler['elicit']>[0]): ReturnType<TurnHandler['elicit']> {
    const { mode, message } = request;
    if (mode !== 'form') return { action: 'decline' };
    const schema = 'requestedSchema' in request && isObject(request.requestedSchema) ? request.requestedSchema : {};
    await this.output.sent();
    const { action, content } = await this.#turn.elicit({
      mcp_server_name: this.#connection.name,
      message,
      mode: 'form',
      requested_schema: schema,
    });
    if (action !== 'accept') return { action: action === 'decline' ? 'decline' : 'cancel' };
    return { action, content: (content ?? {}) as Record<string, string> };
  }

  /** What the permission mode decides about a call. Undefined if the host is asked. */
  async #localDecision({ name, input }: ToolUse) {
    const allowed = { behavior: 'allow', updatedInput: input } as const;
    switch (this.#turn.permissionMode) {
      case 'bypassPermissions':
        return allowed;
      case 'acceptEdits':
        return name === 'Edit' && (await this.#isInside(input['file_path'])) ? allowed : undefined;
      case 'dontAsk':
        return { behavior: 'deny', message: 'The permission mode does not allow questions.' } as const;
      default:
        return undefined;
    }
  }

  /** The hooks of a call run one after the other, when the host has its result. The turn ends after its hooks. */
  #runHooks({ id, name, input, result, isError }: EndedCall): void {
    const event = isError ? 'PostToolUseFailure' : 'PostToolUse';
    const call = { tool_name: name, tool_input: input, tool_use_id: id };
    const outcome = isError ? { error: result } : { tool_response: result };
    const sent = this.output.sent();
    this.#hooks = this.#hooks.then(async () => {
      await sent;
      const { stopReason } = await this.#turn.runHooks(event, { ...call, ...outcome });
      if (stopReason !== undefined) this.#stopped.abort();
    });
  }
}

/** The members of the result that the agent knows. Undefined for a turn that was interrupted, whose result the session sends. */
function resultOf(
  { stopReason, ...rest }: PromptResponse,
  { signal }: Turn,
  result: string,
  { name, settings }: AgentConnection,
): WireMessage | undefined {
  if (signal.aborted) return undefined;
  const usage = usageOf(rest);
  const cost = { ...(settings.costUsd !== undefined && { total_cost_usd: settings.costUsd }), ...(usage && { usage }) };
  const success = { type: 'result', subtype: 'success', is_error: false, result, ...cost };
  switch (stopReason) {
    case 'end_turn':
      return { ...success, stop_reason: 'end_turn' };
    case 'max_tokens':
    case 'refusal':
      return { ...success, stop_reason: stopReason };
    case 'max_turn_requests': {
      const errors = [`${name} has reached its limit of requests in a turn.`];
      return { type: 'result', subtype: 'error_max_turns', is_error: true, errors, ...cost };
    }
    case 'cancelled':
      return { ...success, stop_reason: null };
  }
}

/** The tokens of a turn, which most agents report although version 1 of the protocol does not define them. */
function usageOf({ usage }: Members): Members | undefined {
  const { inputTokens, outputTokens } = objectOf(usage);
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return undefined;
  return { input_tokens: inputTokens, output_tokens: outputTokens };
}
