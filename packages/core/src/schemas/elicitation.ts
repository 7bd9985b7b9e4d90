import * as z from 'zod/mini';
import { systemMessage } from './message-members.ts';
import { openEnum, protocol } from './open.ts';

/** The question of an MCP server to the user: members of a request, and of the input of a hook. */
export const elicitationForm = {
  message: z.string().check(z.describe('What the server wants to know, for the user to read.')),
  mode: z.optional(openEnum(['form', 'url'])).check(z.describe('`form`, the default, asks for fields to be filled in; `url` sends the user to a web page.')),
  url: z.optional(z.string()).check(z.describe('The web page to open; with the mode `url` only.')),
  elicitation_id: z.optional(z.string()).check(z.describe('With the mode `url`: `elicitation_complete` names it when the server has what it wants.')),
  requested_schema: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The JSON Schema of the fields to fill in; with the mode `form` only.')),
};

/** The answer of the user to such a question. */
export const elicitationAnswer = {
  action: openEnum(['accept', 'decline', 'cancel']).check(
    z.describe('`accept` comes with what the user has filled in, `decline` is a no, `cancel` no answer at all.'),
  ),
  content: z
    .optional(z.record(z.string(), z.unknown()))
    .check(z.describe('The fields of the form by name, as `requested_schema` describes them; with `accept` only.')),
};

export const elicitationCompleteMessage = systemMessage('elicitation_complete', {
  mcp_server_name: z.string(),
  elicitation_id: z.string().check(z.describe('As in the `elicitation` request that asked for it.')),
}).register(protocol, { id: 'SDKElicitationCompleteMessage', description: 'What an MCP server asked the user to do at a URL is done.' });
