import type * as acp from '@agentclientprotocol/sdk';
import type { Turn } from '@proto/agent';
import type { WireMessage } from '@proto/core/framing';
import { type Members, objectOf } from '../members.ts';
import type { ConnectedAgent, TurnHandler } from './connected-agent.ts';
import { permissionAnswer, questionFor } from './permission-answer.ts';
import { promptBlocks } from './prompt-blocks.ts';
import type { ToolUse } from './tool-use.ts';
import { TurnOutput } from './turn-output.ts';
import { type EndedCall, TurnUpdates } from './turn-updates.ts';

/** What a turn needs to know about its session. */
export interface TurnSetting {
  readonly connection: ConnectedAgent;
  /** Whether a path, as an agent names it, is in the working directory. */
  readonly isInside: (path: unknown) => Promise<boolean>;
  /** Called with what a host cannot be sent. */
  readonly onUnsent: (what: string) => void;
}

/** Runs a turn of an agent of the Agent Client Protocol, and yields its messages and its result. */
export async function* runAgentTurn(turn: Turn, setting: TurnSetting): AsyncGenerator<WireMessage, void, undefined> {
  const blocks = promptBlocks(turn.prompt, turn.additionalContext, setting.connection.promptCapabilities);
  const running = new RunningTurn(turn, setting);
  const ended = running.run(blocks);
  // The error is thrown below, after everything that the agent has sent before.
  ended.catch(() => {});
  yield* running.output.messages();
  const result = await ended;
  // The session itself sends the result of a turn that was interrupted.
  if (!turn.signal.aborted) yield result;
}

class RunningTurn implements TurnHandler {
  readonly output = new TurnOutput();
  readonly #turn: Turn;
  readonly #setting: TurnSetting;
  readonly #updates: TurnUpdates;
  readonly #stopped = new AbortController();
  #hooks: Promise<void> = Promise.resolve();

  constructor(turn: Turn, setting: TurnSetting) {
    const { connection, onUnsent } = setting;
    this.#turn = turn;
    this.#setting = setting;
    this.#updates = new TurnUpdates({
      emit: (message) => this.output.push(message),
      model: () => connection.settings.model ?? turn.model,
      agentSessionId: connection.sessionId,
      onCallEnd: (call) => this.#runHooks(call),
      onUnsent,
    });
  }

  /** Fulfils with the result of the turn. */
  async run(blocks: acp.ContentBlock[]): Promise<WireMessage> {
    const { connection } = this.#setting;
    let response: acp.PromptResponse | undefined;
    try {
      response = await connection.prompt(blocks, this, AbortSignal.any([this.#turn.signal, this.#stopped.signal]));
    } finally {
      this.#updates.end(response === undefined || response.stopReason === 'cancelled');
      await this.#hooks;
      this.output.end();
    }
    return resultOf(response, this.#updates.text, connection);
  }

  update(update: acp.SessionUpdate): void {
    this.#updates.take(update);
  }

  async requestPermission(request: acp.RequestPermissionRequest): Promise<acp.RequestPermissionResponse> {
    const { toolCall, options } = request;
    const { toolCallId: id, ...known } = toolCall;
    const use = this.#updates.called(id, known);
    // A host must know the call before it is asked about the call.
    await this.output.sent();
    const decision = await this.#turn.canUseTool(use.name, use.input, id, {
      decision: (await this.#localDecision(use)) ?? questionFor(use, request),
    });
    const { response, rejection } = permissionAnswer(decision, use, options);
    if (rejection !== undefined) this.#updates.denied(id, rejection);
    if (decision.behavior === 'deny' && decision.stopReason !== undefined) this.#stopped.abort();
    return response;
  }

  async elicit(request: acp.CreateElicitationRequest): Promise<acp.CreateElicitationResponse> {
    const { mode, message } = request;
    if (mode !== 'form') return { action: 'decline' };
    await this.output.sent();
    const { action, content } = await this.#turn.elicit({
      mcp_server_name: this.#setting.connection.name,
      message,
      mode: 'form',
      requested_schema: objectOf(objectOf(request)['requestedSchema']),
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
        return name === 'Edit' && (await this.#setting.isInside(input['file_path'])) ? allowed : undefined;
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

/** The members of the result that the agent knows. */
function resultOf(response: acp.PromptResponse, result: string, { name, settings }: ConnectedAgent): WireMessage {
  const { stopReason } = response;
  const { costUsd } = settings;
  const spent = { ...(costUsd !== undefined && { total_cost_usd: costUsd }), ...usageOf(response) };
  if (stopReason === 'max_turn_requests') {
    const errors = [`${name} has reached its limit of requests in a turn.`];
    return { type: 'result', subtype: 'error_max_turns', is_error: true, errors, ...spent };
  }
  const stop_reason = stopReason === 'cancelled' ? null : stopReason;
  return { type: 'result', subtype: 'success', is_error: false, result, stop_reason, ...spent };
}

/** The tokens of the whole turn. Most agents report them, although version 1 of the protocol does not define them. */
function usageOf({ usage }: Members): Members {
  const { inputTokens, outputTokens } = objectOf(usage);
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return {};
  return { usage: { input_tokens: inputTokens, output_tokens: outputTokens } };
}
