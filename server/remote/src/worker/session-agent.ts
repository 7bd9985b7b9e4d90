import type { WireMessage } from '@proto/core/framing';
import { checkDurations, setTimer, type Timer } from '@proto/core/network';
import { backoffMs, type BackoffOptions } from '@proto/core/reconnect';
import {
  encodeBatch,
  type Incoming,
  isWorker,
  relay,
  type Transport,
  type TransportClose,
  type TransportError,
} from '@proto/core/transport';
import { WorkerConflictError } from '@proto/transport-sse';
import type { SpawnedAgent } from '@proto/transport-stdio';
import { AgentWatch } from './agent-watch.ts';
import { withFinalMessages } from './final-messages.ts';

/** How often a failed agent is restarted. */
export interface RestartPolicy {
  /** How many attempts in a row may fail before no more restarts are made. A finished turn resets the count. 0 never restarts. */
  readonly maxAttempts: number;
}

/** How the agent of a session is started, attached and restarted. */
export interface SessionAgentOptions {
  /** Starts the program of the agent. `resume` is the id of the conversation to continue. */
  readonly start: (resume: string | undefined) => SpawnedAgent;
  /** Claims the lease of the session's worker; see `attachWorker`. Called before each start. */
  readonly attach: () => Transport;
  /** How often the program is started again after a failure. Default: never. */
  readonly restart?: RestartPolicy | undefined;
  /** How long to wait before a restart. Default: the default of `backoffMs`. */
  readonly backoff?: BackoffOptions | undefined;
  /** How long the agent may be idle before it is stopped, in milliseconds. Default: no limit. */
  readonly idleTimeoutMs?: number | undefined;
  /** Called when the program of the agent was started. `pid` is undefined if that failed. */
  readonly onStarted?: ((pid: number | undefined) => void) | undefined;
  /** Called with each line from the agent that is not a message. The line is not sent to the session. */
  readonly onNoise?: ((text: string) => void) | undefined;
  /** Called when the program of the agent has ended. */
  readonly onExited?: ((close: TransportClose, restarting: boolean) => void) | undefined;
}

/**
 * Why a session no longer has an agent. `left`: the agent ended by itself or was stopped. `failed`: the agent failed and the allowed restarts are
 * used up. `superseded`: another worker has the session. `detached`: the server can no longer be reached.
 */
export type AgentEnd =
  | { readonly as: 'left' | 'superseded' }
  | { readonly as: 'detached'; readonly error: TransportError | undefined }
  | { readonly as: 'failed'; readonly close: TransportClose };

/** The agent of one session, including its restarts. */
export interface SessionAgent {
  /** Fulfils when the session no longer has an agent. Never rejects. */
  readonly closed: Promise<AgentEnd>;
  /**
   * Ends the agent's input, and terminates the agent if it has not ended after 5 s. Messages that the agent sends until then still reach the session.
   */
  close(): Promise<AgentEnd>;
  /** Kills the agent immediately. */
  abort(): void;
}

/**
 * Starts the agent of a session, and keeps it running according to the restart policy. @throws {RangeError} for a time that is negative or not a
 * number
 */
export function startSessionAgent(options: SessionAgentOptions): SessionAgent {
  return new SupervisedAgent(options);
}

// How long the agent may take to finish its work after its input has ended.
const CLOSE_GRACE_MS = 5000;
// Recognises a stream event by its text, because parsing each message would cost more. A stream event that is spelled differently is kept, like any
// other message.
const INCREMENT = /^\s*\{\s*"type"\s*:\s*"stream_event"/;
// A client cannot know this id, so it cannot mistake the answer for its own.
const OWN_INITIALIZE = `sjp-serve-initialize-${crypto.randomUUID()}`;

class SupervisedAgent implements SessionAgent {
  readonly closed: Promise<AgentEnd>;
  readonly #options: SessionAgentOptions;
  #child: SpawnedAgent | undefined;
  #failures = 0;
  #conversation: string | undefined;
  #initialize: WireMessage | undefined;
  #isStopped = false;
  #wake: () => void = () => {};
  #grace: NodeJS.Timeout | undefined;

  constructor(options: SessionAgentOptions) {
    checkDurations(options);
    checkDurations(options.backoff);
    this.#options = options;
    this.closed = this.#run();
  }

  close(): Promise<AgentEnd> {
    this.#isStopped = true;
    this.#wake();
    void this.#child?.end().catch(() => {});
    this.#grace ??= setTimeout(() => this.#child?.child.terminate(), CLOSE_GRACE_MS);
    return this.closed;
  }

  abort(): void {
    this.#isStopped = true;
    this.#wake();
    this.#child?.abort();
  }

  async #run(): Promise<AgentEnd> {
    for (;;) {
      const end = await this.#live();
      clearTimeout(this.#grace);
      if (end !== 'restarting') return end;
      this.#failures++;
      await this.#pause(backoffMs(this.#failures + 1, this.#options.backoff));
      if (this.#isStopped) return { as: 'left' };
    }
  }

  /** Runs the agent once, from its start to its end. */
  async #live(): Promise<AgentEnd | 'restarting'> {
    const worker = this.#options.attach();
    try {
      // The worker is attached before the program starts, so that even the end of a program that exits at once is reported.
      await worker.opened;
    } catch {
      return afterLosing(await worker.closed);
    }
    if (this.#isStopped) {
      await worker.close();
      return { as: 'left' };
    }
    const child = (this.#child = this.#options.start(this.#conversation));
    const watch = new AgentWatch(isWorker(worker) ? worker.worker : undefined);
    this.#options.onStarted?.(child.pid);
    this.#initializeAgain(child);
    let restarting = false;
    const agent = withFinalMessages(child, {
      finalMessages: (close) => {
        restarting = this.#restarts(close, watch);
        this.#options.onExited?.(close, restarting);
        return watch.finalMessages(close, restarting);
      },
      isHidden: (item) => isAnswerToUs(item) || this.#isNoise(item),
    });
    const { first, a, b } = await this.#join(worker, agent, watch);
    this.#initialize = watch.initialize ?? this.#initialize;
    if (watch.results > 0) this.#conversation = watch.conversation;
    if (first === 'a' && a.error !== undefined) return afterLosing(a);
    if (restarting) return 'restarting';
    return b.error === undefined || this.#isStopped ? { as: 'left' } : { as: 'failed', close: b };
  }

  /** Connects the session with the agent until both have ended, and stops an idle agent. */
  async #join(worker: Transport, agent: Transport, watch: AgentWatch) {
    const { idleTimeoutMs } = this.#options;
    let idle: Timer | undefined;
    const onIdle = () => (watch.isIdle ? void this.close() : refresh());
    const refresh = () => {
      idle?.clear();
      if (idleTimeoutMs !== undefined) idle = setTimer(onIdle, idleTimeoutMs);
    };
    refresh();
    const end = await relay(worker, agent, {
      isEphemeral: (_, { text }) => INCREMENT.test(text),
      tap: (from, message) => {
        refresh();
        if (from === 'a') watch.fromClient(message);
        else watch.fromAgent(message);
      },
    });
    idle?.clear();
    return end;
  }

  /** Whether an agent is restarted after this end. An agent that has finished a turn is known to work. */
  #restarts({ error }: TransportClose, { results }: AgentWatch): boolean {
    if (this.#isStopped || error === undefined) return false;
    if (results > 0) this.#failures = 0;
    return this.#failures < (this.#options.restart?.maxAttempts ?? 0);
  }

  #isNoise(item: Incoming): boolean {
    if (item.kind !== 'message' || item.read().message !== undefined) return false;
    this.#options.onNoise?.(item.text);
    return true;
  }

  /** Sends a restarted agent the hooks and MCP servers of its clients, because the clients do not know that the agent is a new process. */
  #initializeAgain(child: Transport): void {
    if (this.#initialize === undefined) return;
    child.send(encodeBatch({ ...this.#initialize, request_id: OWN_INITIALIZE })).catch(() => {});
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimer(resolve, ms);
      this.#wake = () => {
        timer.clear();
        resolve();
      };
    });
  }
}

/**
 * Returns the end of an agent that has lost its session. If another worker has the session, the loss is permanent. After a server failure, the
 * session may need an agent again.
 */
function afterLosing({ error }: TransportClose): AgentEnd {
  return WorkerConflictError.find(error) === undefined ? { as: 'detached', error } : { as: 'superseded' };
}

function isAnswerToUs(item: Incoming): boolean {
  if (item.kind !== 'message' || !item.text.includes(OWN_INITIALIZE)) return false;
  const { message } = item.read();
  return message?.type === 'control_response' && Object(message['response']).request_id === OWN_INITIALIZE;
}
