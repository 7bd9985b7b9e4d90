import type { WireMessage } from '@proto/core/framing';
import type { WorkerLink } from '@proto/core/transport';
import type { PermissionPrompt } from './permission-bridge.ts';
import type { WorkerDuties } from './worker-duties.ts';

/** What an agent is doing, as hosts are told. */
export type AgentState = Parameters<WorkerLink['reportState']>[0];

/** To whom the state is told. */
export interface SessionStateOptions {
  readonly emit: (message: WireMessage) => void;
  /** As messages: to everybody, or marked as for the host program only. Default: not. */
  readonly events?: 'all' | 'host-only' | undefined;
  readonly worker?: Pick<WorkerDuties, 'reportState'> | undefined;
}

/** The state of a session, which begins idle. */
export interface SessionState {
  readonly current: AgentState;
  /** Tells a state that is not the current one, with what the user is waited for; a worker is told of each such question. */
  tell(state: AgentState, prompt?: PermissionPrompt): void;
}

/** Makes what tells the state of a session, once for each change. */
export function createSessionState({ emit, events, worker }: SessionStateOptions): SessionState {
  let current: AgentState = 'idle';
  let shown: string | undefined;
  return {
    get current() {
      return current;
    },
    tell(state, prompt) {
      if (state === current && prompt?.requestId === shown) return;
      shown = prompt?.requestId;
      worker?.reportState(state, prompt);
      if (state === current) return;
      current = state;
      const hostOnly = events === 'host-only' && { sdk_host_only: true };
      if (events !== undefined) emit({ type: 'system', subtype: 'session_state_changed', state, ...hostOnly });
    },
  };
}
