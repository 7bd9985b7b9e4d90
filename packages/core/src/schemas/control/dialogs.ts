import * as z from 'zod/mini';
import { openObject, openUnion, protocol, requestOf } from '../open.ts';
import { elicitationAnswer, elicitationForm } from '../elicitation.ts';

/** Requests that ask the user something. */
export const dialogRequests = {
  elicitation: requestOf('elicitation', {
    mcp_server_name: z.string(),
    ...elicitationForm,
    property_order: z.optional(z.array(z.string())).check(z.describe('The names of the fields in the order to show them.')),
    title: z.optional(z.string()),
    display_name: z.optional(z.string()),
    description: z.optional(z.string()),
  }).register(protocol, { id: 'SDKControlElicitationRequest', description: 'A server asks the user something.' }),
  request_user_dialog: requestOf('request_user_dialog', {
    dialog_kind: z.string().check(z.describe('One of the `supportedDialogKinds` of `initialize`; a host that has not named it must not answer.')),
    payload: z.record(z.string(), z.unknown()).check(z.describe('What the dialog is about; the members depend on its kind.')),
    tool_use_id: z.optional(z.string()).check(z.describe('The tool call that the dialog belongs to, where there is one.')),
  }).register(protocol, {
    id: 'SDKControlRequestUserDialogRequest',
    description: 'The agent wants a dialog of a kind that the host announced in `initialize`.',
  }),
};

/** The payloads of their answers. */
export const dialogResponses = {
  elicitation: openObject(elicitationAnswer).register(protocol, { id: 'ElicitationResult', description: 'What the user said to a server.' }),
  request_user_dialog: openUnion(
    'behavior',
    [
      openObject({
        behavior: z.literal('completed'),
        result: z.unknown().check(z.describe('What the user did in the dialog; the shape depends on its kind.')),
      }),
      openObject({ behavior: z.literal('cancelled') }),
    ],
    { id: 'UserDialogResult', description: 'What became of a dialog.' },
  ),
};
