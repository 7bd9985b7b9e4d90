import type {
  ControlAnswers,
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

/** The body of a declared control request. */
export type SDKControlRequestInner = ControlRequests[keyof ControlRequests];

/** The payload of the answer to a control request, by the subtype of the request; `unknown` for a subtype that is not declared. */
export type AnswerTo<Subtype> = Subtype extends keyof ControlAnswers ? ControlAnswers[Subtype] : unknown;

/** The type itself, which the compiler does not infer from the place that a result is assigned to. Unlike `NoInfer`, it equals the type. */
export type NotInferred<Type> = Type extends infer Same ? Same : never;

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
 * A text that is not declared. The enum exists for the compiler only; at run time the value is a text. With `string` instead, a union could not
 * be narrowed, because a `string` may be any of the declared texts. A comparison with a declared text rules an enum member out.
 */
declare enum Undeclared {
  text = '',
}

/** A message whose `type` is not declared, unchanged. In a union with declared messages, a comparison of `type` rules it out. */
export interface UnknownMessage {
  /** A type that is not declared. */
  readonly type: Undeclared;
  /** All other members, unchecked. */
  readonly [member: string]: unknown;
}

/** A `system` message whose `subtype` is not declared, unchanged. All declared `system` messages have these members. */
export interface UnknownSystemMessage {
  /** All `system` messages have this type; `subtype` is what is not declared. */
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

/** The end of a turn whose `subtype` is not declared: a turn that was cut for a new reason. */
export interface UnknownResultMessage extends Omit<SDKResultError, 'subtype'> {
  /** A subtype that is not declared: a new reason why a turn was cut off. */
  readonly subtype: Undeclared;
  /** All other members, unchecked. */
  readonly [member: string]: unknown;
}

/** The messages that a session handles itself, or hands to a separate callback. */
type KeptBySessions = `control_${string}` | 'keep_alive' | 'transcript_mirror';

/**
 * A message of an agent, as a host hands it on: declared or unknown. Compare `type`, and `subtype` where there is one, to narrow it. The types
 * are what the agent promises; they are checked only in a host with `validate`.
 */
export type AgentMessage =
  | Exclude<MessageFromAgent, { readonly type: KeptBySessions }>
  | UnknownSystemMessage
  | UnknownResultMessage
  | UnknownMessage;
