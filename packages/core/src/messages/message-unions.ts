import type {
  ControlRequests,
  MessagesFromAgent,
  MessagesFromHost,
  SDKResultError,
  SDKResultSuccess,
} from './message-types.ts';

/** A message of an agent, of one of the known kinds. */
export type MessageFromAgent = MessagesFromAgent[keyof MessagesFromAgent];

/** A message of a host, of one of the known kinds. */
export type MessageFromHost = MessagesFromHost[keyof MessagesFromHost];

/** The end of a turn. */
export type SDKResultMessage = SDKResultSuccess | SDKResultError;

/** The body of a request: one of those that are declared. */
export type SDKControlRequestInner = ControlRequests[keyof ControlRequests];

type Undeclared =
  | 'system/model_fallback'
  | 'system/session_title_changed'
  | 'system/ui_invalidate'
  | 'command_lifecycle'
  | 'transcript_mirror';

type NotForTheUser = `control_${string}` | 'keep_alive' | 'active_goal';

/** A message that the published SDK hands to its user. */
export type SDKMessage = MessagesFromAgent[Exclude<keyof MessagesFromAgent, Undeclared | NotForTheUser>];
