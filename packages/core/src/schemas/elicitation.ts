import * as z from 'zod/mini';
import { systemMessage } from './message-members.ts';
import { openEnum, protocol } from './open.ts';

/** The question of an MCP server to the user: members of a request, and of the input of a hook. */
export const elicitationForm = {
  message: z.string().check(z.describe('The question of the server, as text for the user.')),
  mode: z
    .optional(openEnum(['form', 'url']))
    .check(z.describe('How the user answers: `form`, the default, asks the user to fill in fields; `url` sends the user to a web page.')),
  url: z.optional(z.string()).check(z.describe('The web page to open. Only with the mode `url`.')),
  elicitation_id: z
    .optional(z.string())
    .check(z.describe('The id of the question. Only with the mode `url`: the message `elicitation_complete` repeats this id when the user is done.')),
  requested_schema: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The JSON Schema of the fields to fill in. Only with the mode `form`.')),
};

/** The answer of the user to the question of an MCP server. */
export const elicitationAnswer = {
  action: openEnum(['accept', 'decline', 'cancel']).check(
    z.describe('`accept` comes with the fields that the user filled in, `decline` means that the user refused, `cancel` means that the user gave no answer.'),
  ),
  content: z
    .optional(z.record(z.string(), z.unknown()))
    .check(z.describe('The fields of the form by name, as `requested_schema` describes them. Only with `accept`.')),
};

export const elicitationCompleteMessage = systemMessage('elicitation_complete', {
  mcp_server_name: z.string(),
  elicitation_id: z.string().check(z.describe('The `elicitation_id` of the `elicitation` request.')),
}).register(protocol, { id: 'SDKElicitationCompleteMessage', description: 'The user has done what an MCP server asked for on a web page.' });
