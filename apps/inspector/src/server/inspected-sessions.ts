import type { InspectedSession } from '../sessions/inspected-session.ts';

/** A session in the list of a visitor. */
export interface ListedSession {
  readonly id: string;
  readonly name: string;
  /** The text of the first prompt; undefined if it is not known. */
  readonly prompt?: string | undefined;
  /** What the agent does, such as `running`. The state is `archived` if the session accepts no more messages. */
  readonly state?: string | undefined;
  /** When the session was created, in milliseconds since 1970; undefined if it is not known. */
  readonly createdAt?: number | undefined;
  /** The number of the agent's requests that wait for an answer; undefined if it is not known. */
  readonly openRequests?: number | undefined;
}

/** The sessions that a visitor may read, and access to them with the visitor's rights. */
export interface InspectedSessions {
  /** The name of the account. Limits apply to each account. Default: each list of sessions has its own limits. */
  readonly account?: string | undefined;
  /** Whether the visitor may still read the sessions. Called before each request. */
  isCurrent(): Promise<boolean>;
  list(): Promise<readonly ListedSession[]>;
  /** Opens a session in the list. Returns undefined if this visitor may not read the session. Called before each request for a session. */
  open(id: string): Promise<InspectedSession | undefined>;
}

/** Creates the list of the one session that a command inspects. */
export function oneSession(id: string, name: string, session: InspectedSession): InspectedSessions {
  return {
    isCurrent: async () => true,
    list: async () => [{ id, name }],
    open: async (asked) => (asked === id ? session : undefined),
  };
}
