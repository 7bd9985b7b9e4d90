import * as z from 'zod/mini';
import { systemMessage } from '../agent-message.ts';
import { openEnum, protocol } from '../open.ts';

export const controlRequestProgressMessage = systemMessage('control_request_progress', {
  request_id: z.string(),
  status: openEnum(['started', 'api_retry']),
  attempt: z.optional(z.number()),
  max_retries: z.optional(z.number()),
  retry_delay_ms: z.optional(z.number()),
  error_status: z.optional(z.nullable(z.number())),
}).register(protocol, {
  id: 'SDKControlRequestProgressMessage',
  description: 'How a control request that takes long is going.',
});

export const elicitationCompleteMessage = systemMessage('elicitation_complete', {
  mcp_server_name: z.string(),
  elicitation_id: z.string(),
}).register(protocol, {
  id: 'SDKElicitationCompleteMessage',
  description: 'What an MCP server asked the user to do at a URL is done.',
});
