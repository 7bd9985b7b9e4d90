import type { RequestOptions } from '@proto/core';
import type { AnswerTo, ControlRequests } from '@proto/core/internal';

/** A control request that hosts send, and whose members and answer are declared. */
export type HostRequestSubtype = Exclude<
  keyof ControlRequests,
  'can_use_tool' | 'hook_callback' | 'elicitation' | 'request_user_dialog'
>;

type Members<Subtype extends HostRequestSubtype> = Omit<ControlRequests[Subtype], 'subtype'>;

/** The payload of the answer to a request of that subtype. Not checked, unless the request brings a schema. */
export type HostRequestAnswer<Subtype> = AnswerTo<Subtype>;

/** The members of a request of that subtype, which may be left out where none must be there, and how long it waits. */
export type HostRequestArguments<Subtype extends HostRequestSubtype, Answer> =
  Partial<Members<Subtype>> extends Members<Subtype>
    ? [members?: Members<Subtype>, options?: RequestOptions<Answer>]
    : [members: Members<Subtype>, options?: RequestOptions<Answer>];
