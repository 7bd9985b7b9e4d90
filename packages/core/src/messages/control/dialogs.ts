import * as z from 'zod/mini';
import { type Infer, lazy, object, openEnum, openUnion, optional } from '../schema.ts';

/** Requests that put something before the user. */
export const dialogRequests = {
  elicitation: lazy(() =>
    object({
      subtype: z.literal('elicitation'),
      mcp_server_name: z.string(),
      message: z.string(),
      mode: optional(openEnum(['form', 'url'])),
      url: optional(z.string()),
      elicitation_id: optional(z.string()),
      requested_schema: optional(z.record(z.string(), z.unknown())),
      property_order: optional(z.array(z.string())),
      title: optional(z.string()),
      display_name: optional(z.string()),
      description: optional(z.string()),
    }),
  ),
  request_user_dialog: lazy(() =>
    object({
      subtype: z.literal('request_user_dialog'),
      dialog_kind: z.string(),
      payload: z.record(z.string(), z.unknown()),
      tool_use_id: optional(z.string()),
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
    object({ action: openEnum(['accept', 'decline', 'cancel']), content: optional(z.record(z.string(), z.unknown())) }),
  ),
  request_user_dialog: lazy(() =>
    openUnion('behavior', [
      object({ behavior: z.literal('completed'), result: z.unknown() }),
      object({ behavior: z.literal('cancelled') }),
    ]),
  ),
};

/** What the user said to a server. */
export type ElicitationResult = Infer<typeof dialogResponses.elicitation>;

/** What became of a dialog. */
export type UserDialogResult = Infer<typeof dialogResponses.request_user_dialog>;
