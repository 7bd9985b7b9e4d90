import * as z from 'zod/mini';
import { systemMessage } from '../agent-message.ts';
import { openEnum, protocol } from '../open.ts';

export const controlRequestProgressMessage = systemMessage('control_request_progress', {
  request_id: z.string().check(z.describe('The id of the control request that is under way.')),
  status: openEnum(['started', 'api_retry']).check(
    z.describe('With `api_retry` a call of the model API failed; the members below say when it is tried again.'),
  ),
  attempt: z.optional(z.number()).check(z.describe('Only with `api_retry`: which retry this is.')),
  max_retries: z.optional(z.number()).check(z.describe('Only with `api_retry`: how many retries there may be.')),
  retry_delay_ms: z.optional(z.number()).check(z.describe('Only with `api_retry`: milliseconds from the failure to the next try.')),
  error_status: z.optional(z.nullable(z.number())).check(z.describe('Only with `api_retry`: the HTTP status of the failure, null where nobody responded.')),
}).register(protocol, { id: 'SDKControlRequestProgressMessage', description: 'How a control request that takes long is going.' });

export const elicitationCompleteMessage = systemMessage('elicitation_complete', {
  mcp_server_name: z.string(),
  elicitation_id: z.string().check(z.describe('As in the `elicitation` request that asked for it.')),
}).register(protocol, { id: 'SDKElicitationCompleteMessage', description: 'What an MCP server asked the user to do at a URL is done.' });
