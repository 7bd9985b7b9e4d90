import { createSession, type Session, type SessionItem, type Settlement } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import { callBack, createUuids, isRecord, judgeStdin, type PermissionUpdate } from '@proto/core/internal';
import type { Transport } from '@proto/core/transport';
import { createActionState } from './action-state.ts';
import { type AgentSettings, createAgentControls } from './agent-controls.ts';
import type { AgentOptions, AgentOutcome } from './agent-options.ts';
import { AgentTurns } from './agent-turns.ts';
import { createBackgroundTasks } from './background-tasks.ts';
import { chooseCanUseTool } from './choose-can-use-tool.ts';
import { type Conversation, createConversation } from './conversation.ts';
import { refreshEnvironment } from './environment.ts';
import { followAuthStatus } from './follow-auth-status.ts';
import type { HookCall } from './hook-callback.ts';
import type { HookOutcome } from './hook-outcome.ts';
import { createHookRegistry } from './hook-registry.ts';
import { createHostInitialize } from './host-initialize.ts';
import { createHostMcpServers } from './host-mcp-servers.ts';
import { createHostQuestions } from './host-questions.ts';
import { findMcpPromptTool } from './mcp-prompt-tool.ts';
import { openTurn } from './open-turn.ts';
import { pendingLists } from './pending-lists.ts';
import { permissionRequestHooks } from './permission-hooks.ts';
import { createPermissionRequests, type PermissionRequests } from './permission-requests.ts';
import { createPromptIntake } from './prompt-intake.ts';
import { ownPrompt, type Prompt, readPrompt } from './prompt.ts';
import type { RunningTurn } from './running-turn.ts';
import { createSessionMirror, type SessionMirror } from './session-mirror.ts';
import { createSessionState } from './session-state.ts';
import { createSettingsChanges, type SettingsChanges } from './settings-changes.ts';
import { systemInit } from './system-init.ts';
import { createToolPermissions } from './tool-permissions.ts';
import { TurnRunner } from './turn-runner.ts';
import { turnTools } from './turn-tools.ts';
import { isEphemeral, WorkerDuties } from './worker-duties.ts';

/** What a callback of the agent's owner throws is theirs to fix, and no reason to end the session. */
function rethrow(error: unknown): void {
  callBack(() => {
    throw error;
  });
}

/** The agent's side of one session: what is read and what it sets going. */
export class AgentSession {
  readonly #options: AgentOptions;
  readonly #session: Session;
  readonly #settings: AgentSettings;
  readonly #uuids = createUuids();
  readonly #sessionId: string;
  readonly #conversation: Conversation;
  readonly #state;
  readonly #duties: WorkerDuties | undefined;
  readonly #changes: SettingsChanges;
  readonly #intake;
  readonly #requests: PermissionRequests;
  readonly #hooks;
  readonly #mcp;
  readonly #tasks;
  readonly #initialize;
  readonly #runner;
  readonly #turns: AgentTurns;
  /** Input that a real agent refuses: nothing is said after it. */
  #fatal: Error | undefined;

  constructor(transport: Transport, options: AgentOptions) {
    const { model = 'default', permissionMode = 'default', sessionStateEvents: events, diagnostics } = options;
    const tell = (message: WireMessage) => void this.#emit(message);
    const createId = () => this.#uuids.next();
    const runHooks = (running: RunningTurn, call: HookCall, signal?: AbortSignal) =>
      this.#runHooks(running, call, signal);
    this.#options = options;
    this.#settings = { model, permissionMode };
    this.#sessionId = options.sessionId ?? createId();
    this.#conversation = createConversation(options, createId, this.#mirrorOf(options));
    const { worker: link } = transport;
    const duties = (this.#duties = link && new WorkerDuties(link, { emit: tell, sessionId: this.#sessionId }));
    this.#changes = createSettingsChanges({ seams: options, settings: this.#settings, emit: tell, worker: duties });
    const restored = link && this.#changes.restore(link.restored);
    this.#state = createSessionState({ emit: tell, events, worker: duties });
    this.#intake = createPromptIntake({
      emit: tell,
      replay: options.replayUserMessages ?? false,
      store: options.sessionStore,
      worker: duties,
    });
    this.#turns = new AgentTurns({
      intake: this.#intake,
      state: this.#state,
      emit: (message) => this.#emit(message),
      createId,
      ready: async () => {
        if (restored !== undefined) await restored;
        await this.#initialize.ready();
        await this.#mcp.ready();
      },
      kept: () => duties?.flush(),
      runner: () => this.#runner,
      tasks: () => this.#tasks,
    });
    this.#session = createSession(transport, {
      handlers: createAgentControls({
        seams: options,
        settings: this.#settings,
        emit: tell,
        initialize: (request, context) => {
          context.addBeside(pendingLists(this.#session.pending.list));
          return this.#initialize.serve(request);
        },
        interrupt: (cancelQueued) => this.#turns.interrupt(cancelQueued),
        cancelPrompt: (uuid) => this.#turns.cancel((prompt) => prompt.uuid === uuid).length > 0,
        mcp: () => this.#mcp,
        tasks: () => this.#tasks,
        createId,
        sessionId: () => this.#sessionId,
        capabilities: () => this.#initialize.capabilities,
        changes: this.#changes,
      }),
      ...(options.validate !== undefined && { validate: options.validate }),
      isNew(request) {
        duties?.reportServed(request);
        return true;
      },
      isEphemeral,
      outbound: { ...(options.outboundStage !== undefined && { stage: options.outboundStage }) },
      ...(diagnostics && { onMessage: ({ type }) => diagnostics({ type }) }),
      // On arrival, so that an interrupt finds the prompts that came ahead of it.
      onItem: (item) => this.#accept(item),
      onResponse: (response, settlement) => this.#hear(response, settlement),
    });
    const { pending, request } = this.#session;
    const enqueue = (frame: WireMessage) => void this.#session.emit(this.#identified(frame));
    this.#requests = createPermissionRequests({ ...options, session: { pending, request, outbound: { enqueue } } });
    this.#hooks = createHookRegistry({ session: this.#requests, tell, input: () => this.#hookInput() });
    this.#mcp = createHostMcpServers(
      { session: this.#requests, asking: (signal) => this.#turns.asking(signal) },
      options.sdkMcpServers ?? [],
      options.allowHostMcpServers,
    );
    this.#tasks = createBackgroundTasks({
      emit: tell,
      createId,
      onEnd: (prompt) => (prompt === undefined ? this.#turns.rest() : this.#turns.take(prompt)),
    });
    this.#initialize = createHostInitialize({
      agent: options,
      hooks: this.#hooks,
      mcp: this.#mcp,
      state: () => ({ current_permission_mode: this.#settings.permissionMode, session_state: this.#state.current }),
      onRepeat: () => this.#tasks.tell(),
    });
    const action = createActionState((state, details) => this.#state.tell(state, details ?? undefined));
    const canUseTool = chooseCanUseTool(options, {
      ...options,
      findPermissionPromptTool: async (name) =>
        (await options.findPermissionPromptTool?.(name)) ?? findMcpPromptTool(this.#mcp, name),
      session: this.#requests,
      permissionRequestHooks: permissionRequestHooks(this.#hooks, options.permissionRequestHooks),
      applyPermissionUpdates: (updates) => this.#applyPermissionUpdates(updates),
      onPermissionPrompt: (prompt) => action.asked(prompt),
      onPermissionSettled: (requestId) => action.settled(requestId),
    });
    const parts = {
      agent: options,
      sessionId: this.#sessionId,
      settings: this.#settings,
      conversation: this.#conversation,
      emit: (message: WireMessage) => this.#emit(message),
      requests: this.#requests,
      decide: createToolPermissions({
        runHooks,
        canUseTool,
        settings: this.#settings,
        provenanceOf: (tool) => this.#mcp.provenanceOf(tool),
        emit: tell,
      }),
      runHooks,
      questions: createHostQuestions({ requests: this.#requests, action, runHooks }),
      mcp: this.#mcp,
      tasks: this.#tasks,
      initialize: this.#initialize,
      intake: this.#intake,
      tools: () => turnTools(options.tools?.() ?? [], this.#mcp.list, options.permissionPromptTool),
      fold: (running: RunningTurn) => this.#turns.fold(running),
      prepend: (prompt: Prompt) => this.#turns.take(prompt, 'first'),
      stopInput: () => ({ background_tasks: this.#tasks.summaries, session_crons: [] }),
    };
    this.#runner = new TurnRunner({
      ...parts,
      init: () => ({ ...systemInit(this.#settings, parts.tools(), this.#mcp.list), ...options.init?.() }),
      open: (running, prompt, context) => openTurn(parts, running, prompt, context),
    });
  }

  async run(): Promise<AgentOutcome> {
    const { interrupted } = this.#options;
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = () => {
        this.#turns.leave();
        resolve();
      };
    });
    interrupted?.addEventListener('abort', leave);
    if (interrupted?.aborted) leave();
    const { authStatusSource } = this.#options;
    const unfollow =
      authStatusSource &&
      followAuthStatus(authStatusSource, (status) => this.#emit({ type: 'auth_status', ...status }));
    try {
      this.#options.onStart?.({
        sessionId: this.#sessionId,
        restoredWorkerState: this.#session.transport.worker?.restored ?? Promise.resolve(null),
        worker: this.#session.transport.worker,
        prepend: (content) => this.#turns.take(ownPrompt(content, { kind: 'auto-continuation' }), 'first'),
        inject: (response) => this.#requests.inject(response),
      });
      await Promise.race([this.#read(), left]);
      if (this.#fatal !== undefined) throw this.#fatal;
      // Either may still give the agent a prompt; when it has been told to leave, it takes none.
      await Promise.race([this.#requests.handedOn(), left]);
      await this.#session.served();
      await this.#turns.finished();
      await this.#conversation.mirror();
      await this.#duties?.flush();
      // Also behind the answers to control requests that are still being served.
      await this.#session.end();
      await this.#session.close();
      return this.#turns.outcome;
    } catch (error) {
      this.#turns.abort(error);
      // What was said before bad input is written all the same; where the link broke there is nothing to wait for.
      if (error === this.#fatal) await this.#session.close();
      else this.#session.abort(error);
      throw error;
    } finally {
      interrupted?.removeEventListener('abort', leave);
      unfollow?.();
    }
  }

  #mirrorOf({ sessionMirror, history = [] }: AgentOptions): SessionMirror | undefined {
    if (sessionMirror === undefined) return undefined;
    // Without an id and the session: what it says is about the transcript.
    const emit = (message: WireMessage) =>
      this.#fatal === undefined ? this.#session.emit(message) : Promise.resolve();
    return createSessionMirror({ ...sessionMirror, sessionId: this.#sessionId, history, emit });
  }

  async #read(): Promise<void> {
    for await (const _ of this.#session);
  }

  #accept(item: SessionItem): void {
    if (this.#fatal !== undefined) return;
    this.#fatal = judgeStdin(item).error;
    if (this.#fatal !== undefined) {
      // Ends the iteration; see there.
      void this.#session.close();
      return;
    }
    if (item.kind !== 'message') return;
    const { message } = item;
    // Of the one host there is; where a session has several clients, none of them is the owner of the process.
    if (message.type === 'update_environment_variables' && item.source === undefined) {
      refreshEnvironment(message['variables'], this.#options);
    }
    // Hosts replay a conversation that way.
    if (message.type === 'assistant') this.#conversation.remember(message);
    if (message.type !== 'user') return this.#duties?.reportServed(message);
    const refusal = this.#turns.refusalOf(readPrompt(message));
    if (refusal !== undefined) return this.#intake.refuse(message, refusal);
    const prompt = this.#intake.take(message);
    if (prompt !== undefined) this.#turns.take(prompt, message['priority'] === 'now' ? 'now' : 'last');
  }

  /** An answer of the host. One that a server has given an id is accounted for like a prompt, whatever it was. */
  #hear(response: WireMessage, settlement: Settlement): void {
    const { uuid, response: body } = response;
    if (typeof uuid === 'string') this.#intake.tell({ uuid }, 'completed');
    const isSuccess = isRecord(body) && body['subtype'] === 'success';
    if (this.#options.replayUserMessages && settlement === 'settled' && isSuccess) void this.#session.emit(response);
    if (settlement === 'unknown') this.#requests.unexpected(response).catch(rethrow);
  }

  async #runHooks(running: RunningTurn, call: HookCall, signal?: AbortSignal): Promise<HookOutcome> {
    const outcome = await this.#hooks.run({ prompt_id: running.id, ...call }, running.asking(signal));
    running.heed(call, outcome);
    return outcome;
  }

  /** A mode that comes with a permission holds like one the host sets, or is refused like it; the rest is for who keeps the rules. */
  #applyPermissionUpdates(updates: readonly PermissionUpdate[]): void {
    for (const update of updates) {
      if (update.type === 'setMode') this.#changes.changePermissionMode(update.mode).catch(() => {});
    }
    this.#options.applyPermissionUpdates?.(updates);
  }

  /** A control frame of its own, which travels under an id where all do. */
  #identified(frame: WireMessage): WireMessage {
    return this.#session.transport.identifies ? { ...frame, uuid: this.#uuids.next() } : frame;
  }

  #hookInput(): Readonly<Record<string, unknown>> {
    const { cwd = '' } = this.#options.init?.() ?? {};
    const { permissionMode: permission_mode } = this.#settings;
    return { session_id: this.#sessionId, transcript_path: '', cwd, permission_mode, ...this.#options.hookInput?.() };
  }

  #emit(message: WireMessage): Promise<void> {
    // Behind bad input nothing is said any more.
    if (this.#fatal !== undefined) return Promise.resolve();
    const { uuid = this.#uuids.next(), session_id = this.#sessionId } = message;
    const isDated = message.type === 'assistant' || message.type === 'user';
    const { timestamp = isDated ? new Date().toISOString() : undefined } = message;
    return this.#session.emit({ ...message, uuid, session_id, timestamp });
  }
}
