import type { RequestOptions } from '@proto/core';
import type { ControlAnswers, ControlRequests } from '@proto/core/internal';

/** A control request that hosts send, and whose members and answer are declared. */
export type HostRequestSubtype = Exclude<
  keyof ControlRequests,
  'can_use_tool' | 'hook_callback' | 'elicitation' | 'request_user_dialog'
>;

type Members<Subtype> = Subtype extends HostRequestSubtype
  ? Omit<ControlRequests[Subtype], 'subtype'>
  : Readonly<Record<string, unknown>>;

/** The payload of the answer to a request of that subtype. Not checked, unless the request brings a schema. */
export type HostRequestAnswer<Subtype> = Subtype extends keyof ControlAnswers ? ControlAnswers[Subtype] : unknown;

/** The members of a request of that subtype, where it has any, and how long it waits. */
export type HostRequestArguments<Subtype> =
  Partial<Members<Subtype>> extends Members<Subtype>
    ? [members?: Members<Subtype>, options?: RequestOptions<HostRequestAnswer<Subtype>>]
    : [members: Members<Subtype>, options?: RequestOptions<HostRequestAnswer<Subtype>>];
