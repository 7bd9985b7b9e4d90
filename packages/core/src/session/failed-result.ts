import type { WireMessage } from '../framing/json-line.ts';

/**
 * Creates the `result` message that informs a host that a session cannot start or cannot continue. Its `errors` contain the reason, and its
 * `num_turns` is 0.
 */
export function failedResult(error: string, session_id: string): WireMessage {
  return {
    type: 'result',
    subtype: 'error_during_execution',
    is_error: true,
    duration_ms: 0,
    duration_api_ms: 0,
    num_turns: 0,
    stop_reason: null,
    total_cost_usd: 0,
    usage: {
      input_tokens: 0,
      output_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
      service_tier: 'standard',
    },
    modelUsage: {},
    permission_denials: [],
    errors: [error],
    result_index: 0,
    uuid: crypto.randomUUID(),
    session_id,
  };
}
