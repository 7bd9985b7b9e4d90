import * as z from 'zod/mini';
import { openEnum, openUnion, protocol } from '../open.ts';

/** Requests that put something before the user. */
export const dialogRequests = {
  elicitation: z
    .looseObject({
      subtype: z.literal('elicitation'),
      mcp_server_name: z.string(),
      message: z.string().check(z.describe('What the server wants to know, for the user to read.')),
      mode: z
        .optional(openEnum(['form', 'url']))
        .check(z.describe('`form`, also where it is absent, asks for fields to be filled in; `url` sends the user to a web page.')),
      url: z.optional(z.string()).check(z.describe('The web page to open; with the mode `url` only.')),
      elicitation_id: z
        .optional(z.string())
        .check(z.describe('With the mode `url`: the message `elicitation_complete` names it when the server has what it wants.')),
      requested_schema: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The JSON Schema of the fields to fill in; with the mode `form` only.')),
      property_order: z.optional(z.array(z.string())).check(z.describe('The names of the fields in the order to show them.')),
      title: z.optional(z.string()),
      display_name: z.optional(z.string()),
      description: z.optional(z.string()),
    })
    .register(protocol, { id: 'SDKControlElicitationRequest', description: 'A server asks the user something.' }),
  request_user_dialog: z
    .looseObject({
      subtype: z.literal('request_user_dialog'),
      dialog_kind: z.string().check(z.describe('One of the `supportedDialogKinds` of `initialize`; a host that has not named it must not answer.')),
      payload: z.record(z.string(), z.unknown()).check(z.describe('What the dialog is about; the members depend on its kind.')),
      tool_use_id: z.optional(z.string()).check(z.describe('The tool call that the dialog belongs to, where there is one.')),
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
      action: openEnum(['accept', 'decline', 'cancel']).check(
        z.describe('`accept` comes with what the user has filled in, `decline` is a no, `cancel` no answer at all.'),
      ),
      content: z
        .optional(z.record(z.string(), z.unknown()))
        .check(z.describe('The fields of the form by name, as `requested_schema` describes them; with `accept` only.')),
    })
    .register(protocol, { id: 'ElicitationResult', description: 'What the user said to a server.' }),
  request_user_dialog: openUnion(
    'behavior',
    [
      z.looseObject({
        behavior: z.literal('completed'),
        result: z.unknown().check(z.describe('What the user did in the dialog; the shape depends on its kind.')),
      }),
      z.looseObject({ behavior: z.literal('cancelled') }),
    ],
    { id: 'UserDialogResult', description: 'What became of a dialog.' },
  ),
};
