import type { PendingRequest } from '@proto/core/internal';

/**
 * The questions that are open, as members of an answer to `initialize` beside its payload: a host that has lost them puts them again.
 * The lists for permissions and dialogs are always there, as published hosts expect.
 */
export function pendingLists(pending: readonly PendingRequest[]): Readonly<Record<string, unknown>> {
  const framesOf = (subtype: string) =>
    pending
      .filter(({ request }) => request.subtype === subtype)
      .map(({ requestId: request_id, request }) => ({ type: 'control_request', request_id, request }));
  const elicitations = framesOf('elicitation');
  return {
    pending_permission_requests: framesOf('can_use_tool'),
    pending_user_dialog_requests: framesOf('request_user_dialog'),
    ...(elicitations.length > 0 && { pending_elicitation_requests: elicitations }),
  };
}
