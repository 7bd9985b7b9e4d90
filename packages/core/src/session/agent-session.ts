import type { WireMessage } from '../framing/parse-line.ts';
import type { Transport } from '../transport/transport.ts';
import { type Prompt, type PromptContent, readPrompt } from './prompt.ts';
import type { RequestHandler } from './request-handlers.ts';
import { createSession, type Session, type SessionWriter } from './session.ts';
import { judgeStdin } from './stdin-rules.ts';
import { createTurnQueue } from './turn-queue.ts';
import { TurnResult } from './turn-result.ts';
import type { SessionItem } from './unread.ts';
import { createUuids } from './uuids.ts';

/** One turn as the agent's own loop sees it. */
export interface Turn extends SessionWriter {
  readonly prompt: PromptContent;
  /** Aborts when the turn is interrupted or the session ends: yield what there is, marked `aborted`, and return. */
  readonly signal: AbortSignal;
  readonly sessionId: string;
}

/**
 * The agent itself: a prompt in, messages out. `uuid` and `session_id` are added, and the `result` that ends the turn; what it
 * throws becomes an error result.
 */
export type RunTurn = (turn: Turn) => AsyncIterable<WireMessage>;

export interface AgentOptions {
  readonly runTurn: RunTurn;
  readonly sessionId?: string;
  /** Hand on `stream_event` messages. Default false: they are left out. */
  readonly includePartialMessages?: boolean;
  /** Members of the `system/init` message, over the defaults; asked anew for each turn. */
  readonly init?: () => Readonly<Record<string, unknown>>;
  /** Members of the answer to `initialize`, over the defaults. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  /** Further control requests to serve, by subtype. */
  readonly handlers?: Readonly<Record<string, RequestHandler>>;
}

export interface AgentOutcome {
  /** Whether the last result was an error; false without any. An executable exits with 1 then. */
  readonly isError: boolean;
}

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
  readonly #uuids = createUuids();
  readonly #sessionId: string;
  readonly #turns = createTurnQueue((prompt: Prompt) => this.#runTurn(prompt));
  #current: AbortController | undefined;
  #isError = false;

  constructor(transport: Transport, options: AgentOptions) {
    this.#options = options;
    this.#sessionId = options.sessionId ?? this.#uuids.next();
    this.#session = createSession(transport, {
      handlers: {
        initialize: () => ({ ...CAPABILITIES, ...options.capabilities }),
        interrupt: () => this.#interrupt(),
        ...options.handlers,
      },
    });
  }

  async run(): Promise<AgentOutcome> {
    try {
      for await (const item of this.#session) this.#accept(item);
      await this.#turns.idle();
      // Also behind the answers to control requests that are still being served.
      await this.#session.end();
      await this.#session.close();
      return { isError: this.#isError };
    } catch (error) {
      this.#current?.abort(error);
      this.#session.abort(error);
      throw error;
    }
  }

  #accept(item: SessionItem): void {
    const { error } = judgeStdin(item);
    if (error !== undefined) throw error;
    if (item.kind === 'message' && item.message.type === 'user') this.#turns.add(readPrompt(item.message));
  }

  #interrupt(): object {
    const current = this.#current;
    // The receipt goes out ahead of all the interruption causes, so the turn hears of it after this handler has answered.
    queueMicrotask(() => current?.abort());
    return { still_queued: [] };
  }

  async #runTurn({ content }: Prompt): Promise<void> {
    const { runTurn, includePartialMessages = false } = this.#options;
    const controller = new AbortController();
    const { signal } = controller;
    const result = new TurnResult();
    this.#current = controller;
    const turn: Turn = {
      prompt: content,
      signal,
      sessionId: this.#sessionId,
      emit: (message) => this.#emit(message),
      request: (request, options) => this.#session.request(request, { signal, ...options }),
    };
    try {
      await this.#emit({ ...INIT, ...this.#options.init?.() });
      for await (const message of runTurn(turn)) {
        result.follow(message);
        if (message.type !== 'stream_event' || includePartialMessages) await this.#emit(message);
      }
      if (signal.aborted) await this.#emit(INTERRUPTED);
      await this.#finish(signal.aborted ? result.interrupted() : result.success());
    } catch (error) {
      await this.#finish(signal.aborted ? result.interrupted() : result.failed(error)).catch(() => {});
    } finally {
      this.#current = undefined;
    }
  }

  #finish(result: WireMessage): Promise<void> {
    this.#isError = result['is_error'] === true;
    return this.#emit(result);
  }

  #emit(message: WireMessage): Promise<void> {
    const { uuid = this.#uuids.next(), session_id = this.#sessionId } = message;
    return this.#session.emit({ ...message, uuid, session_id });
  }
}

/** The least that every host understands as an answer to `initialize`. */
const CAPABILITIES = {
  commands: [],
  agents: [],
  output_style: 'default',
  available_output_styles: ['default'],
  models: [],
  account: {},
};

const INIT: WireMessage = {
  type: 'system',
  subtype: 'init',
  apiKeySource: 'none',
  claude_code_version: '0.0.0',
  cwd: '',
  tools: [],
  mcp_servers: [],
  model: 'none',
  permissionMode: 'default',
  slash_commands: [],
  output_style: 'default',
  skills: [],
  plugins: [],
};

const INTERRUPTED: WireMessage = {
  type: 'user',
  message: { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user]' }] },
  parent_tool_use_id: null,
};
