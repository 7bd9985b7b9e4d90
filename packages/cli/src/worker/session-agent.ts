import type { WireMessage } from '@proto/core';
import {
  backoffMs,
  type BackoffOptions,
  batchOf,
  type Incoming,
  relay,
  type Transport,
  type TransportClose,
  type TransportError,
} from '@proto/core/transport';
import { asWorkerConflict } from '@proto/transport-sse';
import type { SpawnedAgent } from '@proto/transport-stdio';
import { type AgentWatch, createAgentWatch } from './agent-watch.ts';
import { withLastWords } from './with-last-words.ts';
import type { RestartPolicy } from './restart-policy.ts';

/** What the agent of a session is made of. */
export interface SessionAgentOptions {
  /** Starts its program; with the id of a conversation, to go on with that. */
  readonly start: (resume: string | undefined) => SpawnedAgent;
  /** Takes the seat of the session's worker. */
  readonly attach: () => Transport;
  readonly restart: RestartPolicy;
  readonly backoff?: BackoffOptions | undefined;
  /** How long it may have nothing to do, in milliseconds. Default: for ever. */
  readonly idleTimeoutMs?: number | undefined;
  readonly onStarted: (pid: number | undefined) => void;
  /** It wrote a line that is no message. */
  readonly onNoise: (text: string) => void;
  readonly onExited: (close: TransportClose, restarting: boolean) => void;
}

/**
 * Why a session has no agent any more: it left or was told to, it failed once too often, another worker has the session, or the server
 * could not be reached any more.
 */
export type AgentEnd =
  | { readonly as: 'left' | 'superseded' }
  | { readonly as: 'detached'; readonly error: TransportError | undefined }
  | { readonly as: 'failed'; readonly close: TransportClose };

// How long it has to finish what it does, once its input has ended.
const STOP_GRACE_MS = 5000;
// By how it is written: an increment that is not told by that is kept, like everything else.
const INCREMENT = /^\s*\{\s*"type"\s*:\s*"stream_event"/;
const BACK_AGAIN = 'sjp-serve-initialize';

/** The agent of one session, through as many lives as its policy gives it. */
export class SessionAgent {
  readonly ended: Promise<AgentEnd>;
  readonly #options: SessionAgentOptions;
  #child: SpawnedAgent | undefined;
  #failures = 0;
  #conversation: string | undefined;
  #initialize: WireMessage | undefined;
  #isStopped = false;
  #wake: () => void = () => {};
  #grace: NodeJS.Timeout | undefined;

  constructor(options: SessionAgentOptions) {
    this.#options = options;
    this.ended = this.#run();
  }

  /** Ends its input, and itself when it does not leave; what it says to its end is handed on. */
  stop(): void {
    this.#isStopped = true;
    this.#wake();
    void this.#child?.end().catch(() => {});
    this.#grace ??= setTimeout(() => this.#child?.child.terminate(), STOP_GRACE_MS);
  }

  /** Kills it. */
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

  async #live(): Promise<AgentEnd | 'restarting'> {
    const { start, attach, onStarted, onExited } = this.#options;
    const worker = attach();
    try {
      // Ahead of its program, or one that dies at once would have nobody to tell.
      await worker.opened;
    } catch {
      return afterLosing(await worker.closed);
    }
    if (this.#isStopped) {
      await worker.close();
      return { as: 'left' };
    }
    const child = (this.#child = start(this.#conversation));
    const watch = createAgentWatch(worker.worker);
    onStarted(child.pid);
    this.#initializeAgain(child);
    let restarting = false;
    const agent = withLastWords(child, {
      words: (close) => {
        restarting = this.#restarts(close, watch);
        onExited(close, restarting);
        return watch.lastWords(close, restarting);
      },
      isHidden: (item) => isAnswerToUs(item) || this.#isNoise(item),
    });
    const silence = this.#stopWhenIdle(watch);
    const { first, a, b } = await relay(worker, agent, {
      isEphemeral: (_, { text }) => INCREMENT.test(text),
      tap: (from, message) => {
        silence.heard();
        if (from === 'a') watch.fromClient(message);
        else watch.fromAgent(message);
      },
    });
    silence.over();
    this.#initialize = watch.initialize ?? this.#initialize;
    if (watch.results > 0) this.#conversation = watch.conversation;
    if (first === 'a' && a.error !== undefined) return afterLosing(a);
    if (restarting) return 'restarting';
    return b.error === undefined || this.#isStopped ? { as: 'left' } : { as: 'failed', close: b };
  }

  /** One that has finished a turn has shown that it works. */
  #restarts({ error }: TransportClose, { results }: AgentWatch): boolean {
    if (this.#isStopped || error === undefined) return false;
    if (results > 0) this.#failures = 0;
    return this.#failures < this.#options.restart.maxAttempts;
  }

  /** What is no message has no place in a session. */
  #isNoise(item: Incoming): boolean {
    if (item.kind !== 'message' || item.read().message !== undefined) return false;
    this.#options.onNoise(item.text);
    return true;
  }

  /** Its clients know nothing of its lives: hooks and servers that they have registered are still theirs. */
  #initializeAgain(child: Transport): void {
    if (this.#initialize === undefined) return;
    child.send(batchOf({ ...this.#initialize, request_id: BACK_AGAIN })).catch(() => {});
  }

  #stopWhenIdle(watch: AgentWatch): { heard(): void; over(): void } {
    const { idleTimeoutMs } = this.#options;
    if (idleTimeoutMs === undefined) return { heard() {}, over() {} };
    const timer = setTimeout(() => (watch.isIdle ? this.stop() : timer.refresh()), idleTimeoutMs);
    return { heard: () => timer.refresh(), over: () => clearTimeout(timer) };
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Where another worker has the session that is for good. Of a server that was in trouble an agent may be needed again. */
function afterLosing({ error }: TransportClose): AgentEnd {
  return asWorkerConflict(error) === undefined ? { as: 'detached', error } : { as: 'superseded' };
}

function isAnswerToUs(item: Incoming): boolean {
  if (item.kind !== 'message' || !item.text.includes(BACK_AGAIN)) return false;
  const { message } = item.read();
  return message?.type === 'control_response' && Object(message['response']).request_id === BACK_AGAIN;
}
