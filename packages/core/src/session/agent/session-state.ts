import type { WireMessage } from '../../framing/parse-line.ts';
import type { WorkerLink } from '../../transport/worker-link.ts';

/** What an agent is doing, as hosts are told. */
export type AgentState = Parameters<WorkerLink['reportState']>[0];

/** To whom the state is told. */
export interface SessionStateOptions {
  readonly emit: (message: WireMessage) => void;
  /** As messages: to everybody, or marked as for the host program only. Default: not. */
  readonly events?: 'all' | 'host-only' | undefined;
  readonly worker?: Pick<WorkerLink, 'reportState'> | undefined;
}

/** The state of a session, which begins idle. */
export interface SessionState {
  readonly current: AgentState;
  /** Tells a state that is not the current one, with what the user is waited for. */
  tell(state: AgentState, details?: object): void;
}

/** Makes what tells the state of a session, once for each change. */
export function createSessionState({ emit, events, worker }: SessionStateOptions): SessionState {
  let current: AgentState = 'idle';
  return {
    get current() {
      return current;
    },
    tell(state, details) {
      if (state === current) return;
      current = state;
      worker?.reportState(state, details);
      const hostOnly = events === 'host-only' && { sdk_host_only: true };
      if (events !== undefined) emit({ type: 'system', subtype: 'session_state_changed', state, ...hostOnly });
    },
  };
}
