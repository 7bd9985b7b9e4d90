import { systemMessage } from '../agent-message.ts';
import { optional } from '../object-schema.ts';
import { type Infer, lazy, nullable, number, openEnum, string } from '../schema.ts';

/** Schema of `SDKControlRequestProgressMessage`. */
export const controlRequestProgressMessage = lazy(() =>
  systemMessage('control_request_progress', {
    request_id: string,
    status: openEnum(['started', 'api_retry']),
    attempt: optional(number),
    max_retries: optional(number),
    retry_delay_ms: optional(number),
    error_status: optional(nullable(number)),
  }),
);

/** How a control request that takes long is going. */
export type SDKControlRequestProgressMessage = Infer<typeof controlRequestProgressMessage>;

/** Schema of `SDKElicitationCompleteMessage`. */
export const elicitationCompleteMessage = lazy(() =>
  systemMessage('elicitation_complete', {
    mcp_server_name: string,
    elicitation_id: string,
  }),
);

/** What an MCP server asked the user to do at a URL is done. */
export type SDKElicitationCompleteMessage = Infer<typeof elicitationCompleteMessage>;
