/** Why a session has no agent, as the error of an answer with status 502 says it. */
export interface AgentFailure {
  /** A word for programs, such as `agent_exited`. */
  readonly type: string;
  readonly message: string;
}

/** Whoever runs the agents of sessions beside the server, one for each. It attaches them as workers, like those from elsewhere. */
export interface SessionAgents {
  /** A session was made, or a client reads it or sends to it: called each time, and must not throw. */
  need(session: string): void;
  /** Why a session has no agent and gets none; undefined where it has one, or may have one. What clients send is refused with it. */
  failureOf(session: string): AgentFailure | undefined;
  /** The session was put away. */
  end(session: string): void;
}
