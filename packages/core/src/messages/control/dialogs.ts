import { object, optional } from '../object-schema.ts';
import { array, type Infer, lazy, literal, openEnum, record, string, unknown } from '../schema.ts';
import { openUnion } from '../union-schema.ts';

/** Requests that put something before the user. */
export const dialogRequests = {
  elicitation: lazy(() =>
    object({
      subtype: literal('elicitation'),
      mcp_server_name: string,
      message: string,
      mode: optional(openEnum(['form', 'url'])),
      url: optional(string),
      elicitation_id: optional(string),
      requested_schema: optional(record(unknown)),
      property_order: optional(array(string)),
      title: optional(string),
      display_name: optional(string),
      description: optional(string),
    }),
  ),
  request_user_dialog: lazy(() =>
    object({
      subtype: literal('request_user_dialog'),
      dialog_kind: string,
      payload: record(unknown),
      tool_use_id: optional(string),
    }),
  ),
};

/** A server asks the user something. */
export type SDKControlElicitationRequest = Infer<typeof dialogRequests.elicitation>;

/** The agent wants a dialog of a kind that the host announced in `initialize`. */
export type SDKControlRequestUserDialogRequest = Infer<typeof dialogRequests.request_user_dialog>;

/** The payloads of their answers. */
export const dialogResponses = {
  elicitation: lazy(() =>
    object({ action: openEnum(['accept', 'decline', 'cancel']), content: optional(record(unknown)) }),
  ),
  request_user_dialog: lazy(() =>
    openUnion('behavior', {
      completed: object({ behavior: literal('completed'), result: unknown }),
      cancelled: object({ behavior: literal('cancelled') }),
    }),
  ),
};

/** What the user said to a server. */
export type ElicitationResult = Infer<typeof dialogResponses.elicitation>;

/** What became of a dialog. */
export type UserDialogResult = Infer<typeof dialogResponses.request_user_dialog>;
