import type { AgentFailure, SessionAgents } from '@proto/ingress';
import type { TransportClose } from '@proto/core/transport';
import { reasonNotStarted } from '../worker/agent-watch.ts';
import { type AgentEnd, SessionAgent, type SessionAgentOptions } from '../worker/session-agent.ts';
import type { ServeReport } from './serve-report.ts';

/** Agents at a time: each is a process. */
const DEFAULT_MAX_AGENTS = 100;

const MAX_NOISE_LENGTH = 1000;

/** How the agent of a session is made. */
export interface SessionAgentsOptions
  extends Omit<SessionAgentOptions, 'start' | 'attach' | 'onStarted' | 'onNoise' | 'onExited'> {
  readonly start: (session: string, resume: string | undefined) => ReturnType<SessionAgentOptions['start']>;
  readonly attach: (session: string) => ReturnType<SessionAgentOptions['attach']>;
  readonly report: ServeReport;
  readonly maxAgents?: number;
}

/** The agents of all sessions of a server. */
export interface RunningAgents extends SessionAgents {
  /** Stops all, and starts none from here on. Settles when they are gone, with what they started. */
  close(): Promise<void>;
  /** Kills all. */
  abort(): void;
}

/** Keeps one agent for each session that is used. */
export function createSessionAgents(options: SessionAgentsOptions): RunningAgents {
  const { start, attach, report, maxAgents = DEFAULT_MAX_AGENTS } = options;
  const running = new Map<string, SessionAgent>();
  const over = new Map<string, AgentEnd>();
  let isClosed = false;

  function begin(session: string): void {
    const agent = new SessionAgent({
      ...options,
      start: (resume) => start(session, resume),
      attach: () => attach(session),
      onStarted: (pid) => pid !== undefined && report({ type: 'agent_started', session, pid }),
      onNoise: (text) => report({ type: 'agent_noise', session, text: text.slice(0, MAX_NOISE_LENGTH) }),
      onExited(close, restarting) {
        const { exitCode: code = null, signal = null } = close.process ?? {};
        const error = reasonNotStarted(close);
        report({ type: 'agent_exited', session, code, signal, restarting, ...(error !== undefined && { error }) });
      },
    });
    running.set(session, agent);
    void agent.ended.then((end) => {
      running.delete(session);
      // Whoever left, or lost its link, may be needed again.
      if (end.as === 'failed' || end.as === 'superseded') over.set(session, end);
    });
  }

  return {
    need(session) {
      if (!isClosed && !running.has(session) && !over.has(session) && running.size < maxAgents) begin(session);
    },
    failureOf(session) {
      const end = over.get(session);
      if (end?.as === 'failed') return failureOf(end.close);
      const isFull = end === undefined && !running.has(session) && running.size >= maxAgents;
      return isFull ? { type: 'too_many_agents', message: `${maxAgents} agents run already` } : undefined;
    },
    end(session) {
      over.delete(session);
      running.get(session)?.stop();
    },
    async close() {
      isClosed = true;
      const agents = [...running.values()];
      for (const agent of agents) agent.stop();
      await Promise.all(agents.map(({ ended }) => ended));
    },
    abort() {
      isClosed = true;
      for (const agent of running.values()) agent.abort();
    },
  };
}

function failureOf({ error, process: end }: TransportClose): AgentFailure {
  const { exitCode = null, signal = null } = end ?? {};
  if (end === undefined)
    return { type: error?.code.replaceAll('-', '_') ?? 'agent_exited', message: error?.message ?? '' };
  const how = signal === null ? `exited with code ${exitCode}` : `was ended by ${signal}`;
  return { type: 'agent_exited', message: `the agent of this session ${how}` };
}
