import * as z from 'zod/mini';
import { systemMessage } from './message-members.ts';
import { openEnum, protocol } from './open.ts';

/** The question that an MCP server asks the user: members of a request and of a hook input. */
export const elicitationForm = {
  message: z.string().check(z.describe("The server's question, as text for the user.")),
  mode: z
    .optional(openEnum(['form', 'url']))
    .check(z.describe('How the user answers. With `form`, the default, the user fills in fields. With `url`, the user is sent to a web page.')),
  url: z.optional(z.string()).check(z.describe('The web page to open. Present only with the mode `url`.')),
  elicitation_id: z
    .optional(z.string())
    .check(z.describe('The id of the question. Present only with the mode `url`. The message `elicitation_complete` repeats this id when the user is done.')),
  requested_schema: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The JSON Schema of the fields to fill in. Only with the mode `form`.')),
};

/** The user's answer to a question of an MCP server. */
export const elicitationAnswer = {
  action: openEnum(['accept', 'decline', 'cancel']).check(
    z.describe(
      'What the user did. `accept` means that the user agreed, and `content` contains the filled-in fields. `decline` means that the user refused. `cancel` means that the user gave no answer.',
    ),
  ),
  content: z
    .optional(z.record(z.string(), z.unknown()))
    .check(z.describe("The values of the form's fields, by the name of the field, as `requested_schema` describes them. Present only with `accept`.")),
};

export const elicitationCompleteMessage = systemMessage('elicitation_complete', {
  mcp_server_name: z.string(),
  elicitation_id: z.string().check(z.describe('The `elicitation_id` of the `elicitation` request.')),
}).register(protocol, { id: 'SDKElicitationCompleteMessage', description: 'The user has completed the action that an MCP server requested on a web page.' });
