import type {
  ControlRequests,
  MessagesFromAgent,
  MessagesFromHost,
  SDKResultError,
  SDKResultSuccess,
  UUID,
} from './message-types.ts';

/** A message of an agent, of one of the known kinds. */
export type MessageFromAgent = MessagesFromAgent[keyof MessagesFromAgent];

/** A message of a host, of one of the known kinds. */
export type MessageFromHost = MessagesFromHost[keyof MessagesFromHost];

/** The end of a turn. */
export type SDKResultMessage = SDKResultSuccess | SDKResultError;

/** The body of a request: one of those that are declared. */
export type SDKControlRequestInner = ControlRequests[keyof ControlRequests];

type UndeclaredKind =
  | 'system/model_fallback'
  | 'system/session_title_changed'
  | 'system/ui_invalidate'
  | 'command_lifecycle'
  | 'transcript_mirror';

type NotForTheUser = `control_${string}` | 'keep_alive' | 'active_goal';

/** A message that the published SDK hands to its user. */
export type SDKMessage = MessagesFromAgent[Exclude<keyof MessagesFromAgent, UndeclaredKind | NotForTheUser>];

/**
 * A text that is none of those declared. At run time it is that text, and there is no such enum: with `string` in its place a union
 * could not be narrowed, as a `string` may be any of the declared ones. A comparison with one of those rules an enum member out.
 */
declare enum Undeclared {
  text = '',
}

/** A message whose `type` is not declared, as it came. In a union with declared messages, a comparison of `type` rules it out. */
export interface UnknownMessage {
  readonly type: Undeclared;
  readonly [member: string]: unknown;
}

/** A `system` message whose `subtype` is not declared, as it came. All that are declared have these members. */
export interface UnknownSystemMessage {
  readonly type: 'system';
  readonly subtype: Undeclared;
  readonly uuid: UUID;
  readonly session_id: string;
  readonly [member: string]: unknown;
}

/** The end of a turn whose `subtype` is not declared: one that was cut, for a reason that is new. */
export interface UnknownResultMessage extends Omit<SDKResultError, 'subtype'> {
  readonly subtype: Undeclared;
  readonly [member: string]: unknown;
}

/** What a session serves itself, or hands to a callback of its own. */
type KeptBySessions = `control_${string}` | 'keep_alive' | 'transcript_mirror';

/**
 * A message of an agent, as a host hands it on: declared, or unknown. Narrowed by `type`, and by `subtype` where it has one. It is
 * what the agent promises: only a host that is told to checks it.
 */
export type AgentMessage =
  | Exclude<MessageFromAgent, { readonly type: KeptBySessions }>
  | UnknownSystemMessage
  | UnknownResultMessage
  | UnknownMessage;
