import type {
  ControlAnswers,
  ControlRequests,
  MessagesFromAgent,
  MessagesFromHost,
  SDKResultError,
  SDKResultSuccess,
  UUID,
} from './message-types.ts';

/** A message from an agent, of one of the known kinds. */
export type MessageFromAgent = MessagesFromAgent[keyof MessagesFromAgent];

/** A message from a host, of one of the known kinds. */
export type MessageFromHost = MessagesFromHost[keyof MessagesFromHost];

/** The end of a turn. */
export type SDKResultMessage = SDKResultSuccess | SDKResultError;

/** The body of a declared control request. */
export type SDKControlRequestInner = ControlRequests[keyof ControlRequests];

/** The payload of the answer to a control request with this subtype. `unknown` for a subtype that is not declared. */
export type AnswerTo<Subtype> = Subtype extends keyof ControlAnswers ? ControlAnswers[Subtype] : unknown;

/**
 * Keeps the compiler from inferring the given type from the variable that a result is assigned to. Unlike the result of `NoInfer`, the resulting type
 * equals the given type.
 */
export type NotInferred<Type> = Type extends infer Same ? Same : never;

type UndeclaredKind =
  | 'system/model_fallback'
  | 'system/session_title_changed'
  | 'system/ui_invalidate'
  | 'command_lifecycle'
  | 'transcript_mirror';

type NotForTheUser = `control_${string}` | 'keep_alive' | 'active_goal';

/** A message that the published SDK passes to its user. */
export type SDKMessage = MessagesFromAgent[Exclude<keyof MessagesFromAgent, UndeclaredKind | NotForTheUser>];

/**
 * A string that is not declared. The enum exists only for the compiler, because at run time the value is a string. If the type were `string`, a union
 * could not be narrowed, because a `string` may be any of the declared strings. A comparison with a declared string, however, excludes an enum
 * member.
 */
declare enum Undeclared {
  text = '',
}

/**
 * A message whose `type` is not declared, and which is passed on unchanged. In a union with declared messages, a comparison of `type` excludes this
 * interface.
 */
export interface UnknownMessage {
  /** A type that is not declared. */
  readonly type: Undeclared;
  /** All other members, unchecked. */
  readonly [member: string]: unknown;
}

/** A `system` message whose `subtype` is not declared, and which is passed on unchanged. All declared `system` messages also have these members. */
export interface UnknownSystemMessage {
  /** The type of all `system` messages. */
  readonly type: 'system';
  /** A subtype that is not declared. */
  readonly subtype: Undeclared;
  /** The id of this message, chosen by the agent. */
  readonly uuid: UUID;
  /** The id of the session that the message belongs to. */
  readonly session_id: string;
  /** All other members, unchecked. */
  readonly [member: string]: unknown;
}

/** The end of a turn, with a `subtype` that is not declared. The turn was cut off for a reason that this version does not know. */
export interface UnknownResultMessage extends Omit<SDKResultError, 'subtype'> {
  /** A subtype that is not declared: an unknown reason why a turn was cut off. */
  readonly subtype: Undeclared;
  /** All other members, unchecked. */
  readonly [member: string]: unknown;
}

/** The messages that a session handles itself, or passes to a separate callback. */
type KeptBySessions = `control_${string}` | 'keep_alive' | 'transcript_mirror';

/**
 * A message from an agent, declared or unknown, as a host passes it on. To narrow the type, compare `type`, and also `subtype` if the message has a
 * subtype. The types are not checked, except in a host with `validate`.
 */
export type AgentMessage =
  | Exclude<MessageFromAgent, { readonly type: KeptBySessions }>
  | UnknownSystemMessage
  | UnknownResultMessage
  | UnknownMessage;
