import * as z from 'zod/mini';

import { systemMessage } from '../agent-message.ts';
import { type Infer, lazy, openEnum, optional } from '../schema.ts';

/** Schema of `SDKControlRequestProgressMessage`. */
export const controlRequestProgressMessage = lazy(() =>
  systemMessage('control_request_progress', {
    request_id: z.string(),
    status: openEnum(['started', 'api_retry']),
    attempt: optional(z.number()),
    max_retries: optional(z.number()),
    retry_delay_ms: optional(z.number()),
    error_status: optional(z.nullable(z.number())),
  }),
);

/** How a control request that takes long is going. */
export type SDKControlRequestProgressMessage = Infer<typeof controlRequestProgressMessage>;

/** Schema of `SDKElicitationCompleteMessage`. */
export const elicitationCompleteMessage = lazy(() =>
  systemMessage('elicitation_complete', {
    mcp_server_name: z.string(),
    elicitation_id: z.string(),
  }),
);

/** What an MCP server asked the user to do at a URL is done. */
export type SDKElicitationCompleteMessage = Infer<typeof elicitationCompleteMessage>;
