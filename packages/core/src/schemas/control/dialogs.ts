import * as z from 'zod/mini';
import { openObject, openUnion, protocol, requestOf } from '../open.ts';
import { elicitationAnswer, elicitationForm } from '../elicitation.ts';

/** Requests that ask the user something. */
export const dialogRequests = {
  elicitation: requestOf('elicitation', {
    mcp_server_name: z.string(),
    ...elicitationForm,
    property_order: z.optional(z.array(z.string())).check(z.describe('The names of the fields, in the order in which to show them.')),
    title: z.optional(z.string()),
    display_name: z.optional(z.string()),
    description: z.optional(z.string()),
  }).register(protocol, { id: 'SDKControlElicitationRequest', description: 'Asks the user a question from an MCP server.' }),
  request_user_dialog: requestOf('request_user_dialog', {
    dialog_kind: z
      .string()
      .check(z.describe('The kind of the dialog, from the `supportedDialogKinds` in `initialize`. A host that did not list this kind must not answer.')),
    payload: z.record(z.string(), z.unknown()).check(z.describe('The contents of the dialog. The members depend on the kind of dialog.')),
    tool_use_id: z
      .optional(z.string())
      .check(z.describe('The id of the tool call that the dialog belongs to. Absent if the dialog does not belong to a call.')),
  }).register(protocol, {
    id: 'SDKControlRequestUserDialogRequest',
    description: 'Asks the host to show a dialog of a kind that the host announced in `initialize`.',
  }),
};

/** The payloads of the answers to these requests. */
export const dialogResponses = {
  elicitation: openObject(elicitationAnswer).register(protocol, { id: 'ElicitationResult', description: "The user's answer to an MCP server." }),
  request_user_dialog: openUnion(
    'behavior',
    [
      openObject({
        behavior: z.literal('completed'),
        result: z.unknown().check(z.describe("The user's answer in the dialog. The shape of the answer depends on the kind of dialog.")),
      }),
      openObject({ behavior: z.literal('cancelled') }),
    ],
    { id: 'UserDialogResult', description: 'The outcome of a dialog.' },
  ),
};
