import * as z from 'zod/mini';
import { openEnum, openUnion, protocol } from '../open.ts';

/** Requests that put something before the user. */
export const dialogRequests = {
  elicitation: z
    .looseObject({
      subtype: z.literal('elicitation'),
      mcp_server_name: z.string(),
      message: z.string(),
      mode: z.optional(openEnum(['form', 'url'])),
      url: z.optional(z.string()),
      elicitation_id: z.optional(z.string()),
      requested_schema: z.optional(z.record(z.string(), z.unknown())),
      property_order: z.optional(z.array(z.string())),
      title: z.optional(z.string()),
      display_name: z.optional(z.string()),
      description: z.optional(z.string()),
    })
    .register(protocol, { id: 'SDKControlElicitationRequest', description: 'A server asks the user something.' }),
  request_user_dialog: z
    .looseObject({
      subtype: z.literal('request_user_dialog'),
      dialog_kind: z.string(),
      payload: z.record(z.string(), z.unknown()),
      tool_use_id: z.optional(z.string()),
    })
    .register(protocol, {
      id: 'SDKControlRequestUserDialogRequest',
      description: 'The agent wants a dialog of a kind that the host announced in `initialize`.',
    }),
};

/** The payloads of their answers. */
export const dialogResponses = {
  elicitation: z
    .looseObject({
      action: openEnum(['accept', 'decline', 'cancel']),
      content: z.optional(z.record(z.string(), z.unknown())),
    })
    .register(protocol, { id: 'ElicitationResult', description: 'What the user said to a server.' }),
  request_user_dialog: openUnion(
    'behavior',
    [
      z.looseObject({ behavior: z.literal('completed'), result: z.unknown() }),
      z.looseObject({ behavior: z.literal('cancelled') }),
    ],
    { id: 'UserDialogResult', description: 'What became of a dialog.' },
  ),
};
