import type { WireMessage } from '../framing/parse-line.ts';
import type { Transport } from '../transport/transport.ts';
import { type AgentSettings, createAgentControls } from './agent/agent-controls.ts';
import { type AgentOptions, type AgentOutcome, DEFAULT_ENVIRONMENT_NAMES, type Turn } from './agent/agent-options.ts';
import { isRecord } from './is-record.ts';
import type { Prompt } from './agent/prompt.ts';
import type { Settlement } from './pending-requests.ts';
import { chooseCanUseTool } from './agent/choose-can-use-tool.ts';
import { createPermissionRequests, type PermissionRequests } from './agent/permission-requests.ts';
import type { CanUseTool } from './agent/permission-rules.ts';
import { RunningTurn } from './agent/running-turn.ts';
import { createPromptIntake } from './agent/prompt-intake.ts';
import { createSession, type Session } from './session.ts';
import { judgeStdin } from './agent/stdin-rules.ts';
import { createTurnQueue } from './agent/turn-queue.ts';
import type { SessionItem } from './unread.ts';
import { createUuids } from './uuids.ts';

/**
 * Is an agent over a transport, until the host's input ends and every prompt has had its turn. Rejects with a `ProtocolError` on
 * input that real agents refuse, and with the `TransportError` when the link breaks; nothing more is written then.
 */
export async function runAgent(transport: Transport, options: AgentOptions): Promise<AgentOutcome> {
  return new AgentSession(transport, options).run();
}

class AgentSession {
  readonly #options: AgentOptions;
  readonly #session: Session;
  readonly #settings: AgentSettings;
  readonly #uuids = createUuids();
  readonly #sessionId: string;
  readonly #turns = createTurnQueue((prompt: Prompt) => this.#runTurn(prompt));
  readonly #intake;
  readonly #requests: PermissionRequests;
  readonly #canUseTool: CanUseTool;
  #current: RunningTurn | undefined;
  #state: 'idle' | 'running' = 'idle';
  #isError = false;
  /** Input that a real agent refuses: nothing is said after it. */
  #fatal: Error | undefined;
  readonly #history: WireMessage[];

  constructor(transport: Transport, options: AgentOptions) {
    const { model = 'default', permissionMode = 'default' } = options;
    const tell = (message: WireMessage) => void this.#emit(message);
    this.#options = options;
    this.#history = [...(options.history ?? [])];
    this.#settings = { model, permissionMode };
    this.#sessionId = options.sessionId ?? this.#uuids.next();
    this.#intake = createPromptIntake({
      emit: tell,
      replay: options.replayUserMessages ?? false,
      store: options.sessionStore,
    });
    this.#session = createSession(transport, {
      handlers: createAgentControls({
        seams: options,
        settings: this.#settings,
        emit: tell,
        interrupt: (cancelQueued) => this.#interrupt(cancelQueued),
        cancelPrompt: (uuid) => this.#cancel((prompt) => prompt.uuid === uuid).length > 0,
      }),
      // On arrival, so that an interrupt finds the prompts that came ahead of it.
      onItem: (item) => this.#accept(item),
      onResponse: (response, settlement) => this.#hear(response, settlement),
    });
    this.#requests = createPermissionRequests({ session: this.#session, ...options });
    const { findPermissionPromptTool = () => undefined } = options;
    this.#canUseTool = chooseCanUseTool(options.permissionPromptTool, {
      ...options,
      findPermissionPromptTool,
      session: this.#requests,
    });
  }

  async run(): Promise<AgentOutcome> {
    // A source that fails has nothing more to tell; the session goes on.
    this.#tellAuthStatus().catch(() => {});
    try {
      for await (const _ of this.#session);
      if (this.#fatal !== undefined) throw this.#fatal;
      await this.#turns.idle();
      // Also behind the answers to control requests that are still being served.
      await this.#session.end();
      await this.#session.close();
      return { isError: this.#isError };
    } catch (error) {
      this.#current?.abort(error);
      // What was said before bad input is written all the same; where the link broke there is nothing to wait for.
      if (error === this.#fatal) await this.#session.close();
      else this.#session.abort(error);
      throw error;
    }
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
    this.#options.diagnostics?.({ type: message.type });
    if (message.type === 'update_environment_variables') this.#refresh(message['variables']);
    // Hosts replay a conversation that way.
    if (message.type === 'assistant') this.#remember(message);
    if (message.type !== 'user') return;
    const prompt = this.#intake.take(message);
    if (prompt !== undefined) this.#turns.add(prompt);
  }

  /** An answer of the host. One that a server has given an id is accounted for like a prompt, whatever it was. */
  #hear(response: WireMessage, settlement: Settlement): void {
    const { uuid, response: body } = response;
    if (typeof uuid === 'string') this.#intake.tell({ uuid }, 'completed');
    const isSuccess = isRecord(body) && body['subtype'] === 'success';
    if (this.#options.replayUserMessages && settlement === 'settled' && isSuccess) void this.#session.emit(response);
    if (settlement === 'unknown') void this.#requests.unexpected(response);
  }

  #refresh(variables: unknown): void {
    const { applyEnvironment, environmentNames = DEFAULT_ENVIRONMENT_NAMES } = this.#options;
    if (!isRecord(variables)) return;
    const taken = Object.entries(variables).filter(
      ([name, value]) => environmentNames.includes(name) && typeof value === 'string',
    );
    if (taken.length > 0) applyEnvironment?.(Object.fromEntries(taken) as Record<string, string>);
  }

  #interrupt(cancelQueued: boolean): object {
    const current = this.#current;
    // Its open questions are taken back ahead of the receipt, as published agents do.
    current?.withdraw();
    const cancelled = cancelQueued ? this.#cancel(() => true) : [];
    const stillQueued = this.#turns.waiting.flatMap(({ uuid }) => uuid ?? []);
    // The receipt goes out ahead of all the interruption causes, so the turn hears of it after this handler has answered.
    queueMicrotask(() => current?.abort());
    return {
      still_queued: stillQueued,
      ...(cancelQueued && { cancelled: cancelled.flatMap(({ uuid }) => uuid ?? []) }),
    };
  }

  #cancel(matches: (prompt: Prompt) => boolean): readonly Prompt[] {
    const cancelled = this.#turns.remove(matches);
    for (const prompt of cancelled) this.#intake.tell(prompt, 'cancelled');
    return cancelled;
  }

  async #runTurn(prompt: Prompt): Promise<void> {
    const running = new RunningTurn(prompt.uuid);
    const { signal, result } = running;
    this.#current = running;
    this.#tellState('running');
    this.#intake.tell(prompt, 'started');
    let last: WireMessage;
    try {
      this.#remember(prompt.message);
      if (!prompt.isContextOnly) await this.#converse(prompt, running);
      last = signal.aborted ? running.interrupted() : result.finished();
    } catch (error) {
      last = signal.aborted ? running.interrupted() : result.failed(error);
    }
    // Decided: an interrupt that comes now finds no turn.
    const interrupted = signal.aborted;
    this.#current = undefined;
    await this.#finish(last).catch(() => {});
    this.#intake.tell(prompt, interrupted ? 'cancelled' : 'completed');
    if (this.#turns.size === 0) this.#tellState('idle');
  }

  /** All the agent says in a turn, between `init` and the result. */
  async #converse({ content, uuid, ...prompt }: Prompt, running: RunningTurn): Promise<void> {
    const { signal, result } = running;
    const { runTurn, init, includePartialMessages = false } = this.#options;
    const turn: Turn = {
      prompt: content,
      promptUuid: uuid,
      signal,
      sessionId: this.#sessionId,
      history: this.#history,
      emit: (message) => this.#emit(message),
      request: (request, options) => this.#requests.request(request, { signal, ...options }),
      canUseTool: (tool, input, toolUseID) => running.decide(this.#canUseTool, tool, input, toolUseID),
    };
    let marked = false;
    const mark = async () => {
      if (signal.aborted && !marked) await this.#emit(this.#remember(running.marker()));
      marked ||= signal.aborted;
    };
    await this.#emit({ ...INIT, ...this.#settings, ...init?.() });
    this.#intake.replay({ content, uuid, ...prompt });
    // Interrupted before it began: there is nothing to cut.
    for await (const message of signal.aborted ? [] : runTurn(turn)) {
      if (message.type === 'stream_event' && !includePartialMessages) continue;
      if (message.type === 'result') {
        result.take(message);
        continue;
      }
      await this.#emit(result.follow(isHistory(message) ? this.#remember(message) : message));
      // Behind what was cut, and ahead of the events that close it.
      if (message['aborted'] === true) await mark();
    }
    await mark();
  }

  async #tellAuthStatus(): Promise<void> {
    for await (const status of this.#options.authStatusSource ?? [])
      await this.#emit({ type: 'auth_status', ...status });
  }

  /** Adds a message to the conversation; gives it with the id it goes by. */
  #remember(message: WireMessage): WireMessage {
    const kept = typeof message['uuid'] === 'string' ? message : { ...message, uuid: this.#uuids.next() };
    this.#history.push(kept);
    this.#options.sessionStore?.append?.(kept);
    return kept;
  }

  #finish(result: WireMessage): Promise<void> {
    this.#isError = result['is_error'] === true;
    return this.#emit(result);
  }

  #tellState(state: 'idle' | 'running'): void {
    const { sessionStateEvents } = this.#options;
    if (sessionStateEvents === undefined || this.#state === state) return;
    this.#state = state;
    const hostOnly = sessionStateEvents === 'host-only' && { sdk_host_only: true };
    void this.#emit({ type: 'system', subtype: 'session_state_changed', state, ...hostOnly });
  }

  #emit(message: WireMessage): Promise<void> {
    // Behind bad input nothing is said any more.
    if (this.#fatal !== undefined) return Promise.resolve();
    const { uuid = this.#uuids.next(), session_id = this.#sessionId } = message;
    return this.#session.emit({ ...message, uuid, session_id });
  }
}

/** What belongs to the conversation: neither what a subagent says, nor an echo, nor a part of a message that comes whole later. */
function isHistory({ type, parent_tool_use_id: parent, isReplay }: WireMessage): boolean {
  return (type === 'assistant' || type === 'user') && typeof parent !== 'string' && isReplay !== true;
}

const INIT: WireMessage = {
  type: 'system',
  subtype: 'init',
  apiKeySource: 'none',
  claude_code_version: '0.0.0',
  cwd: '',
  tools: [],
  mcp_servers: [],
  slash_commands: [],
  output_style: 'default',
  skills: [],
  plugins: [],
};
