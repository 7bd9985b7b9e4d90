import { isWorker, type Transport } from '@proto/core/transport';
import type { SessionItem, Settlement } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import { callBack, classifyInput, isRecord } from '@proto/core/internal';
import type { AgentOptions, AgentOutcome, AuthStatus } from './agent-options.ts';
import { AgentWire } from './agent-wire.ts';
import { installInitialize } from './controls/host-initialize.ts';
import { installSessionControls } from './controls/session-controls.ts';
import { installSessionReport } from './controls/session-report.ts';
import { installSettings, refreshEnvironment } from './controls/settings-changes.ts';
import { installHooks } from './hooks/hook-registry.ts';
import { hooksOfTurns } from './hooks/turn-hooks.ts';
import { installMcp } from './mcp/mcp-controls.ts';
import { PromptCommands } from './mcp/prompt-commands.ts';
import { createPermissionRequests, type PermissionRequests } from './permissions/permission-requests.ts';
import { createToolPermissions } from './permissions/tool-permissions.ts';
import { installPrompts, placeOf, type PromptQueue } from './prompts/prompt-queue.ts';
import { ownPrompt, readPrompt } from './prompts/prompt.ts';
import { createHostQuestions } from './questions/host-questions.ts';
import { type BackgroundTasks, installTasks } from './tasks/background-tasks.ts';
import { type Conversation, createConversation } from './transcript/conversation.ts';
import { AgentTurns } from './turns/agent-turns.ts';
import { createActionState, createSessionState } from './turns/session-state.ts';
import { TurnRunner } from './turns/turn-runner.ts';

/**
 * Runs an agent over a transport. Fulfils when the host has ended its input, every prompt has had its turn, and nothing is running in the background.
 * After an error, nothing more is written.
 *
 * @example
 * ```ts
 * import { runAgent } from '@proto/agent';
 * import { createStdioTransport } from '@proto/transport-stdio';
 *
 * await runAgent(createStdioTransport(), {
 *   async *runTurn() {
 *     const content = [{ type: 'text', text: 'Hello.' }];
 *     yield { type: 'assistant', message: { id: 'msg_1', role: 'assistant', content }, parent_tool_use_id: null };
 *   },
 * });
 * ```
 *
 * @throws {ProtocolError} with the code `invalid-message`, for input that published agents refuse
 * @throws {TransportError} if the link breaks
 */
export async function runAgent(transport: Transport, options: AgentOptions): Promise<AgentOutcome> {
  return new AgentSession(transport, options).run();
}

/** Creates the features of a session, and passes arriving messages to them. */
class AgentSession {
  readonly #options: AgentOptions;
  readonly #wire: AgentWire;
  readonly #conversation: Conversation;
  readonly #prompts: PromptQueue;
  readonly #requests: PermissionRequests;
  readonly #tasks: BackgroundTasks;
  readonly #turns: AgentTurns;
  /** Nothing is sent after this error. */
  #fatal: Error | undefined;

  constructor(transport: Transport, options: AgentOptions) {
    this.#options = options;
    const wire = (this.#wire = new AgentWire(transport, options, {
      // Items are processed on arrival, so that an interrupt finds the prompts that arrived before it.
      onItem: (item) => this.#accept(item),
      onResponse: (response, settlement) => this.#onResponse(response, settlement),
    }));
    // Each feature serves its own requests, and uses only features that are created before it.
    const settings = installSettings(wire);
    const state = createSessionState(wire);
    const action = createActionState((now, question) => state.report(now, question ?? undefined));
    const conversation = (this.#conversation = createConversation(wire));
    const prompts = (this.#prompts = installPrompts(wire));
    const requests = (this.#requests = createPermissionRequests({
      ...options.permissions,
      ...options,
      session: wire.requests,
    }));
    const hooks = installHooks(wire, requests, settings);
    const runHooks = hooksOfTurns(hooks);
    const mcp = installMcp(wire, requests, prompts);
    const tasks = (this.#tasks = installTasks(wire, prompts, state));
    const initialize = installInitialize(wire, { hooks, mcp, settings, state, tasks });
    installSessionControls(wire, { initialize, mcp, conversation });
    installSessionReport(wire, settings, conversation);
    const decide = createToolPermissions(wire, { requests, hooks, runHooks, mcp, settings, action });
    const questions = createHostQuestions({ requests, action, runHooks });
    const commands = new PromptCommands({ mcp, runHooks, conversation });
    const parts = { wire, settings, conversation, prompts, requests, runHooks, mcp, commands, tasks, initialize };
    const runner = new TurnRunner({ ...parts, decide, questions });
    this.#turns = new AgentTurns({ wire, settings, prompts, state, tasks, runner, initialize, mcp });
    wire.serve(options.handlers ?? {});
  }

  async run(): Promise<AgentOutcome> {
    const { stopSignal, output: { authStatus } = {} } = this.#options;
    const { session } = this.#wire;
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = () => {
        this.#prompts.leave();
        this.#tasks.stop();
        resolve();
      };
    });
    stopSignal?.addEventListener('abort', leave);
    if (stopSignal?.aborted) leave();
    const unfollow =
      authStatus && followAuthStatus(authStatus, (status) => this.#wire.emit({ type: 'auth_status', ...status }));
    try {
      this.#start();
      await Promise.race([this.#read(), left]);
      if (this.#fatal !== undefined) throw this.#fatal;
      // The handler of an unexpected answer may still add a prompt. After `stopSignal` has aborted, no prompt is accepted.
      await Promise.race([this.#requests.handedOn(), left]);
      await session.served();
      await this.#turns.finished();
      await this.#conversation.mirror();
      await this.#wire.worker?.flush();
      // `end` also waits until the control requests that are being served are answered.
      await session.end();
      await session.close();
      return this.#turns.outcome;
    } catch (error) {
      this.#prompts.abort(error);
      this.#tasks.stop();
      // If the input was refused, the messages that were sent before are still written. If the link was lost, there is nothing to wait for.
      if (error === this.#fatal) await session.close();
      else session.abort(error);
      throw error;
    } finally {
      stopSignal?.removeEventListener('abort', leave);
      unfollow?.();
    }
  }

  #start(): void {
    const { sessionId, session } = this.#wire;
    const worker = isWorker(session.transport) ? session.transport.worker : undefined;
    this.#options.onStart?.({
      sessionId,
      restoredWorkerState: worker?.restored ?? Promise.resolve(null),
      worker,
      prepend: (content) => this.#prompts.take(ownPrompt(content, { kind: 'auto-continuation' }), 'first'),
      answer: (response) => this.#requests.answer(response),
    });
  }

  async #read(): Promise<void> {
    for await (const _ of this.#wire.session);
  }

  #accept(item: SessionItem): void {
    if (this.#fatal !== undefined) return;
    this.#fatal = classifyInput(item).error;
    if (this.#fatal !== undefined) {
      this.#wire.silence();
      // Ends the loop of `#read`.
      void this.#wire.session.close();
      return;
    }
    if (item.kind !== 'message') return;
    const { message } = item;
    // Applied only if the host is the only client: if there are several clients, none of them owns the process.
    if (message.type === 'update_environment_variables' && item.source === undefined) {
      refreshEnvironment(message['variables'], this.#options.environment);
    }
    // Hosts replay a conversation with `assistant` messages.
    if (message.type === 'assistant') this.#conversation.remember(message);
    if (message.type !== 'user') return this.#wire.worker?.reportServed(message);
    const prompts = this.#prompts;
    const refusal = prompts.refusalOf(readPrompt(message));
    if (refusal !== undefined) return prompts.intake.refuse(message, refusal);
    const prompt = prompts.intake.take(message);
    if (prompt !== undefined) prompts.take(prompt, placeOf(message['priority']));
  }

  /** An answer with a `uuid` is reported as completed, just like a prompt. */
  #onResponse(response: WireMessage, settlement: Settlement): void {
    const { uuid, response: body } = response;
    if (typeof uuid === 'string') this.#prompts.intake.report({ uuid }, 'completed');
    const isSuccess = isRecord(body) && body['subtype'] === 'success';
    if (this.#options.output?.replayUserMessages && settlement === 'settled' && isSuccess) {
      void this.#wire.session.emit(response);
    }
    if (settlement === 'late') this.#options.onMessageType?.({ type: response.type, dropped: 'late' });
    if (settlement === 'unknown') this.#requests.unexpected(response).catch(rethrow);
  }
}

/** The error becomes an uncaught exception in the owner's program. The session continues. */
function rethrow(error: unknown): void {
  callBack(() => {
    throw error;
  });
}

/** Returns a function that closes the source, so that its timers and listeners do not outlive the session. */
function followAuthStatus(source: AsyncIterable<AuthStatus>, send: (status: AuthStatus) => Promise<void>): () => void {
  const states = source[Symbol.asyncIterator]();
  const follow = async () => {
    for (let next = await states.next(); next.done !== true; next = await states.next()) await send(next.value);
  };
  follow().catch(() => {});
  return () => void states.return?.().catch(() => {});
}
