import { cutText } from '@proto/core/framing';
import { checkDurations } from '@proto/core/network';
import type { TransportClose } from '@proto/core/transport';
import { processEndOf } from '@proto/transport-stdio';
import { reasonNotStarted } from './final-messages.ts';
import { type AgentEnd, type SessionAgent, type SessionAgentOptions, startSessionAgent } from './session-agent.ts';

/** What happens to the agents of a server. */
export type AgentEvent =
  | { readonly type: 'agent_started'; readonly session: string; readonly pid: number }
  | {
      readonly type: 'agent_exited';
      readonly session: string;
      readonly code: number | null;
      readonly signal: string | null;
      readonly restarting: boolean;
      /** Why the agent could not be started; absent if the agent was started. */
      readonly error?: string;
    }
  /** The agent wrote a line that is not a message. `text` contains at most 1000 characters of that line. */
  | { readonly type: 'agent_noise'; readonly session: string; readonly text: string };

/** How the agents of sessions are started and attached. */
export interface SessionAgentsOptions extends Pick<SessionAgentOptions, 'restart' | 'backoff' | 'idleTimeoutMs'> {
  /** Starts the agent of a session. `resume` is the id of the conversation to continue. */
  readonly start: (session: string, resume: string | undefined) => ReturnType<SessionAgentOptions['start']>;
  /** Claims the lease of a session's worker; see `attachWorker`. */
  readonly attach: (session: string) => ReturnType<SessionAgentOptions['attach']>;
  /** Called with each event of the agents. */
  readonly onEvent?: ((event: AgentEvent) => void) | undefined;
  /** How many agents may run at once. Each agent is a process. Default 100. */
  readonly maxAgents?: number | undefined;
}

/** The agents of all sessions of a server: the `agents` of its `IngressOptions`. */
export interface SessionAgents {
  /** Starts an agent for the session, unless the session already has an agent, has permanently lost its agent, or too many agents are running. */
  need(session: string): void;
  /** Returns why a session has no agent and will not get one; undefined if the session has an agent or may get one. */
  failureOf(session: string): { readonly type: string; readonly message: string } | undefined;
  /** Stops the agent of a session that is archived. */
  end(session: string): void;
  /** Kills the agent of a session that another server has taken over. If the session returns and needs an agent, a new agent is started. */
  lose(session: string): void;
  /** Stops all agents, and starts no more agents. Fulfils when the agents and all processes that they started have ended. */
  close(): Promise<void>;
  /** Kills all agents, and starts no more agents. */
  abort(): void;
}

const DEFAULT_MAX_AGENTS = 100;
const MAX_NOISE_LENGTH = 1000;

/**
 * Creates the agents of a server: one for each session that is used.
 *
 * @throws {RangeError} for a time that is negative or not a number
 */
export function createSessionAgents(options: SessionAgentsOptions): SessionAgents {
  return new AgentPool(options);
}

class AgentPool implements SessionAgents {
  readonly #options: SessionAgentsOptions;
  readonly #maxAgents: number;
  readonly #running = new Map<string, SessionAgent>();
  /** The sessions that will not get another agent. */
  readonly #over = new Map<string, AgentEnd>();
  /** The agents that are being killed for `lose`. The value is true if `need` was called for the session in the meantime. */
  readonly #losing = new Map<string, boolean>();
  #isClosed = false;

  constructor(options: SessionAgentsOptions) {
    checkDurations(options);
    checkDurations(options.backoff);
    this.#options = options;
    this.#maxAgents = options.maxAgents ?? DEFAULT_MAX_AGENTS;
  }

  need(session: string): void {
    if (this.#losing.has(session)) this.#losing.set(session, true);
    const isRunning = this.#running.has(session) || this.#over.has(session);
    if (!this.#isClosed && !isRunning && this.#running.size < this.#maxAgents) this.#start(session);
  }

  failureOf(session: string): ReturnType<SessionAgents['failureOf']> {
    const end = this.#over.get(session);
    if (end?.as === 'failed') return failureOf(end.close);
    const isFull = end === undefined && !this.#running.has(session) && this.#running.size >= this.#maxAgents;
    return isFull ? { type: 'too_many_agents', message: `${this.#maxAgents} agents are already running` } : undefined;
  }

  end(session: string): void {
    this.#over.delete(session);
    void this.#running.get(session)?.close();
  }

  lose(session: string): void {
    this.#over.delete(session);
    const agent = this.#running.get(session);
    if (agent === undefined) return;
    this.#losing.set(session, false);
    agent.abort();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(Array.from(this.#running.values(), (agent) => agent.close()));
  }

  abort(): void {
    this.#isClosed = true;
    for (const agent of this.#running.values()) agent.abort();
  }

  #start(session: string): void {
    const { restart, backoff, idleTimeoutMs } = this.#options;
    const agent = startSessionAgent({
      restart,
      backoff,
      idleTimeoutMs,
      start: (resume) => this.#options.start(session, resume),
      attach: () => this.#options.attach(session),
      onStarted: (pid) => pid !== undefined && this.#report({ type: 'agent_started', session, pid }),
      onNoise: (text) => this.#report({ type: 'agent_noise', session, text: cutText(text, MAX_NOISE_LENGTH) }),
      onExited: (close, restarting) => this.#report(exitOf(session, close, restarting)),
    });
    this.#running.set(session, agent);
    void agent.closed.then((end) => {
      this.#running.delete(session);
      const isNeeded = this.#losing.get(session);
      if (isNeeded !== undefined) {
        this.#losing.delete(session);
        if (isNeeded) this.need(session);
        return;
      }
      // A session whose agent ended by itself, or whose link broke, may need an agent again.
      if (end.as === 'failed' || end.as === 'superseded') this.#over.set(session, end);
    });
  }

  #report(event: AgentEvent): void {
    this.#options.onEvent?.(event);
  }
}

function exitOf(session: string, close: TransportClose, restarting: boolean): AgentEvent {
  const { exitCode: code = null, signal = null } = processEndOf(close) ?? {};
  const error = reasonNotStarted(close);
  return { type: 'agent_exited', session, code, signal, restarting, ...(error !== undefined && { error }) };
}

function failureOf(close: TransportClose): { readonly type: string; readonly message: string } {
  const { error } = close;
  const end = processEndOf(close);
  const { exitCode = null, signal = null } = end ?? {};
  if (end === undefined)
    return { type: error?.code.replaceAll('-', '_') ?? 'agent_exited', message: error?.message ?? '' };
  const how = signal === null ? `exited with code ${exitCode}` : `was terminated by ${signal}`;
  return { type: 'agent_exited', message: `the agent of this session ${how}` };
}
